import { setLowBalanceThreshold } from "#lib/db/wallet/low-balance.ts";
import type { Currency } from "#lib/domain/money.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { getResellerCurrency, readAmount } from "./amount.ts";

/**
 * Sets the balance below which `wallet.low_balance` is emitted once; immediately if it is below. Null: never. Returns
 * minor units.
 * @throws DomainError `parameters_invalid`.
 */
export async function setWalletLowBalanceThreshold(
  ctx: ServiceContext,
  /** Decimal text in major units, or null. */
  input: { readonly threshold: string | null },
): Promise<{ readonly threshold: bigint | null; readonly currency: Currency }> {
  const resellerId = requireResellerUser(ctx, "wallet:write");
  const currency = await getResellerCurrency(ctx, resellerId);
  const threshold =
    input.threshold === null ? null : readAmount(input.threshold, currency, "not_negative", "threshold");
  await setLowBalanceThreshold(writesOf(ctx), resellerId, threshold, changedBy(ctx));
  return { threshold, currency };
}
