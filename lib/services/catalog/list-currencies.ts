import { listSoldCurrencyRows } from "#lib/db/catalog/list.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** In which there is a list price: what else a reseller has, it can buy nothing with. The commonest first. */
export async function listSoldCurrencies(ctx: ServiceContext): Promise<readonly Currency[]> {
  requireAdmin(ctx);
  return listSoldCurrencyRows(ctx.db);
}
