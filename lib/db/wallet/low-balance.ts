import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

const setLowBalanceThresholdStatement = statement(
  "set_low_balance_threshold",
)`select from set_low_balance_threshold($1, $2, $3, $4, $5)`;

/** Minor units of the wallet's currency; null: no notice. */
export async function setLowBalanceThreshold(
  db: Database,
  resellerId: ResellerId,
  threshold: bigint | null,
  by: ChangedBy,
): Promise<void> {
  await db.query(setLowBalanceThresholdStatement, [resellerId, threshold, ...changeValues(by)]);
}
