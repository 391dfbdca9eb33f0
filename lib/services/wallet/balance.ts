import { getWallet } from "#lib/db/wallet/wallet.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

/** Minor units of `currency`. */
export interface Balance {
  /** Available balance: posted minus held (contract 3.12). */
  readonly spendable: bigint;
  readonly posted: bigint;
  readonly held: bigint;
  readonly currency: Currency;
  readonly pendingCount: number;
  /** The reseller is notified below it; null: never. */
  readonly lowBalanceThreshold: bigint | null;
}

export async function getBalance(ctx: ServiceContext): Promise<Balance> {
  const resellerId = requireReseller(ctx, "wallet:read");
  const wallet = await getWallet(ctx.db, resellerId);
  return { ...wallet, spendable: wallet.posted - wallet.held };
}
