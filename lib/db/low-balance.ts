import type { ResellerId } from "#lib/domain/ids.ts";
import type { Database } from "./client.ts";

/** Minor units of the wallet's currency; null: the reseller is never told. */
export async function setLowBalanceThreshold(
  db: Database,
  resellerId: ResellerId,
  change: { readonly threshold: bigint | null; readonly actor: string },
  now: Date,
): Promise<void> {
  await db.query({
    name: "set_low_balance_threshold",
    text: "select from set_low_balance_threshold($1, $2, $3, $4)",
    values: [resellerId, change.threshold, change.actor, now],
  });
}
