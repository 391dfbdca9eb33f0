import { listResellerRows, type ResellerRow } from "#lib/db/reseller/reseller.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireAdmin } from "#lib/services/context.ts";

export type { ResellerRow } from "#lib/db/reseller/reseller.ts";

export interface ResellerPage {
  readonly resellers: readonly ResellerRow[];
  /** The next page's `before`; null at the end. */
  readonly nextBefore: number | null;
}

/** By part of name or email address, newest first. `before`: older than this id. */
export async function searchResellers(
  ctx: ServiceContext,
  input: { readonly text: string | null; readonly before: number | null; readonly limit: number },
): Promise<ResellerPage> {
  requireAdmin(ctx, "admin:read");
  const { text, before, limit } = input;
  const found = await listResellerRows(ctx.db, { before, text, limit: limit + 1 });
  const resellers = found.slice(0, limit);
  return { resellers, nextBefore: found.length > limit ? (resellers.at(-1)?.resellerId ?? null) : null };
}
