import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { defineRun } from "#lib/db/connection/define.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

/** Minor units of the wallet's currency; null: no notice. */
export const setLowBalanceThreshold = defineRun("set_low_balance_threshold").values(
  (resellerId: ResellerId, threshold: bigint | null, by: ChangedBy) => [resellerId, threshold, ...changeValues(by)],
)`select from set_low_balance_threshold($1, $2, $3, $4, $5)`;
