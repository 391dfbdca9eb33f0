import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireAdmin } from "#lib/services/context.ts";
import { type ResellerSummary, summarizeReseller } from "./list.ts";

export interface ResellerPage {
  readonly resellers: readonly ResellerSummary[];
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
  const holds = { contains: escapeLikePattern(text ?? ""), mode: "insensitive" } as const;
  const found = await ctx.db.prisma.reseller.findMany({
    where: {
      ...(before === null ? {} : { id: { lt: before } }),
      ...(text === null ? {} : { OR: [{ name: holds }, { email: holds }] }),
    },
    include: { wallet: true },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const resellers = found.slice(0, limit).map(summarizeReseller);
  return { resellers, nextBefore: found.length > limit ? (resellers.at(-1)?.resellerId ?? null) : null };
}
