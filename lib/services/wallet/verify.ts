import { compareWallets, type WalletComparison } from "#lib/db/wallet/comparison.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** Recomputes all wallets, platform accounts and core lots from their entries, and returns the differences. */
export async function verifyWallets(ctx: ServiceContext): Promise<WalletComparison> {
  requireAdmin(ctx, "admin:read");
  return compareWallets(ctx.db);
}
