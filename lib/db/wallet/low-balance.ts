import type { ChangedBy } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

/** Minor units of the wallet's currency; null: the reseller is never told. */
export async function setLowBalanceThreshold(
  db: Database,
  resellerId: ResellerId,
  threshold: bigint | null,
  by: ChangedBy,
): Promise<void> {
  await db.query({
    name: "set_low_balance_threshold",
    text: "select from set_low_balance_threshold($1, $2, $3, $4, $5)",
    values: [resellerId, threshold, by.actor, by.now, by.requestId],
  });
}
