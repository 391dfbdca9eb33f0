import { countUserRows, listUserRows, type UserRow } from "#lib/db/user/user.ts";
import { adminRoles, resellerRoles } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireUserManager } from "./manager.ts";

export interface ListedUser extends Omit<UserRow, "factors"> {
  /** Null: the actor may not see who has a second factor. */
  readonly factors: UserRow["factors"] | null;
}

export interface UserPage {
  readonly users: readonly ListedUser[];
  /** The next page's `before`; null at the end. */
  readonly nextBefore: number | null;
  /** On all pages, up to one more than `COUNTED_AT_MOST`; null if there is one page. */
  readonly total: number | null;
}

/** Newest first. A reseller's user sees its own team; an admin all users, or one reseller's. */
export async function listUsers(
  ctx: ServiceContext,
  input: { readonly text?: string | null; readonly before?: number | null; readonly limit: number },
): Promise<UserPage> {
  const own = requireUserManager(ctx, "read");
  const { text = null, before = null, limit } = input;
  const { adminsNeedFactor = false } = ctx.settings;
  const found = await listUserRows(ctx.db, own, { text, before, limit: limit + 1, adminsNeedFactor });
  const seesFactors = maySeeFactors(ctx);
  const users = found
    .slice(0, limit)
    .map((user) => (seesFactors ? user : { ...user, factors: null, lacksFactor: false }));
  const more = found.length > limit;
  return {
    users,
    nextBefore: more ? (users.at(-1)?.id ?? null) : null,
    total: more || before !== null ? await countUserRows(ctx.db, own, text) : null,
  };
}

/** Who has no second factor is worth attacking, so it is for those who manage access. */
function maySeeFactors({ actor }: ServiceContext): boolean {
  if (actor.kind === "reseller_user") return resellerRoles[actor.role].permissions.includes("team:factors");
  return actor.kind !== "admin" || adminRoles[actor.role].permissions.includes("users:write");
}
