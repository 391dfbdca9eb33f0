import {
  findReadUntil,
  listAdminRows,
  listResellerRows,
  type NotificationRow,
} from "#lib/db/notification/notification.ts";
import { type FailingVerification, listFailingVerifications } from "#lib/db/overview/failing-verification.ts";
import {
  adminNotifications,
  NOTIFICATIONS_MAX,
  NOTIFIED_DAYS,
  type NotificationKind,
  resellerNotifications,
} from "#lib/domain/notification.ts";
import { adminRoles, resellerRoles } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireOwnUser } from "#lib/services/user/manager.ts";

export type { NotificationRow } from "#lib/db/notification/notification.ts";

export type Notification = { readonly unread: boolean } & (
  | NotificationRow
  | { readonly kind: "verification.failing"; readonly at: Date; readonly failing: FailingVerification }
);

const DAY_MS = 86_400_000;
const FAILING_SHOWN = 5;

/**
 * What the user should know of, newest first: derived from what happened, and read up to a mark. At most 100 of 30 days,
 * of the kinds that the user's role sees; in test mode of the sandbox.
 */
export async function listNotifications(ctx: ServiceContext): Promise<readonly Notification[]> {
  const userId = requireOwnUser(ctx);
  const { actor } = ctx;
  const reads = await ctx.db.reads();
  const now = ctx.now();
  const page = { since: new Date(now.getTime() - NOTIFIED_DAYS * DAY_MS), limit: NOTIFICATIONS_MAX };
  if (actor.kind !== "reseller_user") {
    const kinds = actor.kind === "admin" ? kindsOf(adminNotifications, adminRoles[actor.role].permissions) : [];
    const [rows, readUntil] = await Promise.all([
      listAdminRows(reads, { ...page, kinds }),
      findReadUntil(ctx.db, userId, null),
    ]);
    return rows.map((row) => ({ ...row, unread: isAfter(row.at, readUntil) }));
  }
  const { resellerId, role } = actor;
  const { permissions } = resellerRoles[role];
  const [rows, failing, readUntil] = await Promise.all([
    listResellerRows(reads, resellerId, { ...page, kinds: kindsOf(resellerNotifications, permissions) }),
    permissions.includes("licenses:read") ? listFailingVerifications(reads, resellerId, now, FAILING_SHOWN) : [],
    findReadUntil(ctx.db, userId, resellerId),
  ]);
  return [...rows, ...failing.map((one) => ({ kind: "verification.failing" as const, at: one.since, failing: one }))]
    .map((one) => ({ ...one, unread: isAfter(one.at, readUntil) }))
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
}

/** For the bell. */
export async function countUnreadNotifications(ctx: ServiceContext): Promise<number> {
  return (await listNotifications(ctx)).filter(({ unread }) => unread).length;
}

function kindsOf(kinds: Readonly<Record<string, string>>, permissions: readonly string[]): NotificationKind[] {
  return (Object.keys(kinds) as NotificationKind[]).filter((kind) => permissions.includes(kinds[kind] ?? ""));
}

function isAfter(at: Date, readUntil: Date | null): boolean {
  return readUntil === null || at > readUntil;
}
