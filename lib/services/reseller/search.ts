import { listResellerRows, type ResellerRow } from "#lib/db/reseller/reseller.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireAdmin } from "#lib/services/context.ts";

export type { ResellerRow } from "#lib/db/reseller/reseller.ts";

export interface ResellerPage {
  readonly resellers: readonly ResellerRow[];
  /** The id to continue before; null at the end. */
  readonly nextBefore: number | null;
}

/** Resellers whose name or email address has the text, newest first. `before`: older than this id; null: the newest. */
export async function searchResellers(
  ctx: ServiceContext,
  input: { readonly text: string | null; readonly before: number | null; readonly limit: number },
): Promise<ResellerPage> {
  requireAdmin(ctx);
  const { text, before, limit } = input;
  const found = await listResellerRows(ctx.db, { before, text, limit: limit + 1 });
  const resellers = found.slice(0, limit);
  return { resellers, nextBefore: found.length > limit ? (resellers.at(-1)?.resellerId ?? null) : null };
}
