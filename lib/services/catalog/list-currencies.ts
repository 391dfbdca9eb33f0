import { listSoldCurrencyRows } from "#lib/db/catalog/list.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** Currencies with a list price, which a reseller needs to buy anything; the most common first. */
export async function listSoldCurrencies(ctx: ServiceContext): Promise<readonly Currency[]> {
  requireAdmin(ctx, "admin:read");
  return listSoldCurrencyRows(ctx.db);
}
