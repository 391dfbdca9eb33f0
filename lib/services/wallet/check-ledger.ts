import { storeLedgerCheck } from "#lib/db/wallet/ledger-check.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";
import { verifyWallets } from "./verify.ts";

/** Verifies all wallets and stores the number of differences for monitoring. */
export async function checkLedger(ctx: ServiceContext): Promise<{ readonly differences: number }> {
  requireSystem(ctx);
  const found = await verifyWallets(ctx);
  const differences = found.differences.length + found.currencyDifferences.length + found.lotDifferences.length;
  await storeLedgerCheck(ctx.db, differences);
  return { differences };
}
