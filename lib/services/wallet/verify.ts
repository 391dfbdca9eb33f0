import { compareWallets, type WalletComparison } from "#lib/db/wallet/comparison.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/**
 * Adds up every ledger, every open hold, every platform account and every core lot, and compares: wallets with what they
 * say of themselves, each currency's wallets with its accounts, and lots with what was charged and credited.
 */
export async function verifyWallets(ctx: ServiceContext): Promise<WalletComparison> {
  requireAdmin(ctx);
  return compareWallets(ctx.db);
}
