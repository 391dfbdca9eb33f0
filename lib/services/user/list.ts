import { type UserRow, userListing } from "#lib/db/user/user.ts";
import { adminRoles, resellerRoles } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { type Page, readPage } from "#lib/services/page.ts";
import { requireUserManager } from "./manager.ts";

export interface ListedUser extends Omit<UserRow, "factors"> {
  /** Null: the actor may not see who has a second factor. */
  readonly factors: UserRow["factors"] | null;
}

/** Newest first. A reseller's user sees its own team; an admin all users, or one reseller's. */
export async function listUsers(
  ctx: ServiceContext,
  input: { readonly text?: string | null; readonly before?: number | null; readonly limit?: number },
): Promise<Page<ListedUser, number>> {
  const own = requireUserManager(ctx, "read");
  const { text = null, before = null, limit } = input;
  const { adminsNeedFactor = false } = ctx.settings;
  const seesFactors = maySeeFactors(ctx);
  const page = await readPage({ before, limit }, userListing(ctx.db, own, { text, adminsNeedFactor }), ({ id }) => id);
  if (seesFactors) return page;
  return { ...page, rows: page.rows.map((user) => ({ ...user, factors: null, lacksFactor: false })) };
}

/** Who has no second factor is worth attacking, so it is for those who manage access. */
function maySeeFactors({ actor }: ServiceContext): boolean {
  if (actor.kind === "reseller_user") return resellerRoles[actor.role].permissions.includes("team:factors");
  return actor.kind !== "admin" || adminRoles[actor.role].permissions.includes("users:write");
}
