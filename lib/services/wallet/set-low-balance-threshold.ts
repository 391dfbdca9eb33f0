import { setLowBalanceThreshold } from "#lib/db/wallet/low-balance.ts";
import type { Currency } from "#lib/domain/money.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { getResellerCurrency, readAmount } from "./amount.ts";

/**
 * Below which balance the reseller is told (`wallet.low_balance`), once each time that it falls below; at once if it is
 * below now. Minor units in the answer; null: never.
 * @throws DomainError `permission_denied`, `parameters_invalid`.
 */
export async function setWalletLowBalanceThreshold(
  ctx: ServiceContext,
  /** Decimal text in major units, or null. */
  input: { readonly threshold: string | null },
): Promise<{ readonly threshold: bigint | null; readonly currency: Currency }> {
  const resellerId = requireResellerUser(ctx);
  const currency = await getResellerCurrency(ctx, resellerId);
  const threshold =
    input.threshold === null ? null : readAmount(input.threshold, currency, "not_negative", "threshold");
  await setLowBalanceThreshold(writesOf(ctx), resellerId, threshold, changedBy(ctx));
  return { threshold, currency };
}
