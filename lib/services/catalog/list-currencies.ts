import type { Currency } from "#lib/domain/money.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** In which there is a list price: what else a reseller has, it can buy nothing with. The commonest first. */
export async function listSoldCurrencies(ctx: ServiceContext): Promise<readonly Currency[]> {
  requireAdmin(ctx);
  const groups = await ctx.db.prisma.price.groupBy({
    by: ["currency"],
    where: { resellerId: null },
    _count: true,
    orderBy: [{ _count: { currency: "desc" } }, { currency: "asc" }],
  });
  return groups.map(({ currency }) => currency as Currency);
}
