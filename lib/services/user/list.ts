import { listUserRows, type UserRow } from "#lib/db/user/user.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireUserManager } from "./manager.ts";

export type { UserRow } from "#lib/db/user/user.ts";

export interface UserPage {
  readonly users: readonly UserRow[];
  /** The next page's `before`; null at the end. */
  readonly nextBefore: number | null;
}

/** Newest first. A reseller's user sees its own team; an admin all users, or one reseller's. */
export async function listUsers(
  ctx: ServiceContext,
  input: { readonly text?: string | null; readonly before?: number | null; readonly limit: number },
): Promise<UserPage> {
  const own = requireUserManager(ctx, "read");
  const { text = null, before = null, limit } = input;
  const found = await listUserRows(ctx.db, own, { text, before, limit: limit + 1 });
  const users = found.slice(0, limit);
  return { users, nextBefore: found.length > limit ? (users.at(-1)?.id ?? null) : null };
}
