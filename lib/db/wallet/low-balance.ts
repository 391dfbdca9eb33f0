import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { defineRun } from "#lib/db/connection/define.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

/** Minor units of the wallet's currency; null: no notice. Notifies at once if the balance is already low. */
export const setLowBalanceThreshold = defineRun("set_low_balance_threshold").values(
  (resellerId: ResellerId, threshold: bigint | null, by: ChangedBy) => [resellerId, threshold, ...changeValues(by)],
)`
      with wallet as (
        update wallets set
            low_balance_threshold = $2,
            low_balance_emitted_at = case when $2::bigint is not null then low_balance_emitted_at end
         where reseller_id = $1 returning reseller_id
      )
      select emit_low_balance(array[reseller_id], $4),
             write_audit_entry($3, 'wallet.set_low_balance_threshold', reseller_id, 'wallet:' || reseller_id, '',
               jsonb_build_object('threshold', ($2::bigint)::text), $4, $5)
        from wallet`;
