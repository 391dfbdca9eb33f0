import { type CriticalServerRow, listCriticalServers } from "#lib/db/diagnostics/server.ts";
import {
  getNotificationMark,
  listAdminRows,
  listResellerRows,
  type NotificationMark,
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
import type { Check } from "#lib/domain/server-checks.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { checksOf } from "#lib/services/diagnostics/get-server.ts";
import { requireOwnUser } from "#lib/services/user/manager.ts";

export type { NotificationRow } from "#lib/db/notification/notification.ts";

interface Fact {
  readonly id: string;
  readonly at: Date;
}

interface FailingNotification extends Fact {
  readonly kind: "verification.failing";
  readonly failing: FailingVerification;
}

interface ServerNotification extends Fact {
  readonly kind: "server.critical";
  readonly server: CriticalServerRow & { readonly checks: readonly Check[] };
}

export type Notification = { readonly unread: boolean } & (NotificationRow | FailingNotification | ServerNotification);

const DAY_MS = 86_400_000;
const RECORDED_WITHIN_MS = 60_000;
const FAILING_SHOWN = 5;
const SERVERS_SHOWN = 20;

/**
 * What the user should know of, newest first: derived from what happened, and read up to a mark. At most 100 of 30 days,
 * of the kinds that the user's role sees; in test mode of the sandbox.
 */
export async function listNotifications(ctx: ServiceContext): Promise<readonly Notification[]> {
  const userId = requireOwnUser(ctx);
  const { actor } = ctx;
  const reads = await ctx.db.reads();
  const now = ctx.now();
  const since = notifiedSince(now);
  const page = { since, limit: NOTIFICATIONS_MAX };
  if (actor.kind !== "reseller_user") {
    const kinds = actor.kind === "admin" ? kindsOf(adminNotifications, adminRoles[actor.role].permissions) : [];
    const [rows, mark] = await Promise.all([
      listAdminRows(reads, { ...page, kinds }),
      getNotificationMark(ctx.db, userId, null),
    ]);
    return rows.map((row) => ({ ...row, unread: isUnread(row, mark) }));
  }
  const { resellerId, role } = actor;
  const { permissions } = resellerRoles[role];
  const [rows, failing, servers, mark] = await Promise.all([
    listResellerRows(reads, resellerId, { ...page, kinds: kindsOf(resellerNotifications, permissions) }),
    permissions.includes("licenses:read") ? listFailingVerifications(reads, resellerId, now, FAILING_SHOWN) : [],
    permissions.includes("diagnostics:read")
      ? listCriticalServers(reads, resellerId, { since, limit: SERVERS_SHOWN, now })
      : [],
    getNotificationMark(ctx.db, userId, resellerId),
  ]);
  return [...rows, ...failing.map(ofFailing), ...servers.map((server) => ofServer(server, now))]
    .map((one) => ({ ...one, unread: isUnread(one, mark) }))
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
}

/**
 * Until when the list says all that happened: facts are recorded within a minute of their time. What goes on, such as a
 * failing verification, is read with it until tomorrow.
 */
export function listedUntil({ now }: ServiceContext, [newest]: readonly Fact[]): Date {
  return new Date(Math.max(newest?.at.getTime() ?? 0, now().getTime() - RECORDED_WITHIN_MS));
}

/** For the bell. */
export async function countUnreadNotifications(ctx: ServiceContext): Promise<number> {
  return (await listNotifications(ctx)).filter(({ unread }) => unread).length;
}

function kindsOf(kinds: Readonly<Record<string, string>>, permissions: readonly string[]): NotificationKind[] {
  return (Object.keys(kinds) as NotificationKind[]).filter((kind) => permissions.includes(kinds[kind] ?? ""));
}

function ofFailing(failing: FailingVerification): FailingNotification {
  const { code, bound, seen, since } = failing;
  return { id: `verification ${code} ${bound} ${seen}`, kind: "verification.failing", at: since, failing };
}

function ofServer(server: CriticalServerRow, now: Date): ServerNotification {
  const checks = checksOf(server, now);
  return { id: `server ${server.address}`, kind: "server.critical", at: server.since, server: { ...server, checks } };
}

export function notifiedSince(now: Date): Date {
  return new Date(now.getTime() - NOTIFIED_DAYS * DAY_MS);
}

function isUnread({ id, at }: Fact, { readUntil, exceptions }: NotificationMark): boolean {
  const exception = exceptions[id];
  return exception !== undefined && at <= new Date(exception.at) ? exception.unread : at > readUntil;
}
