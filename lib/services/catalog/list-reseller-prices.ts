import { listResellerPriceRows, type ResellerPriceRow } from "#lib/db/catalog/price.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getResellerCurrency } from "#lib/services/wallet/amount.ts";

export type { ResellerPriceRow } from "#lib/db/catalog/price.ts";

/**
 * Cycles that a reseller can buy or renew with, with the list price and its own, in minor units of its currency.
 * @throws DomainError `not_found`.
 */
export async function listResellerPrices(
  ctx: ServiceContext,
  { resellerId }: { readonly resellerId: ResellerId },
): Promise<{ readonly currency: Currency; readonly rows: readonly ResellerPriceRow[] }> {
  requireAdmin(ctx, "admin:read");
  const currency = await getResellerCurrency(ctx, resellerId);
  return { currency, rows: await listResellerPriceRows(ctx.db, resellerId, ctx.now()) };
}
