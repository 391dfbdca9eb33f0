import { compareWallets, type WalletComparison } from "#lib/db/wallet-comparison.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/**
 * Adds up every ledger, every open hold and every platform account, and compares: wallets with what they say of
 * themselves, and each currency's wallets with its accounts.
 */
export async function verifyWallets(ctx: ServiceContext): Promise<WalletComparison> {
  requireAdmin(ctx);
  return compareWallets(ctx.db);
}
