import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { int, list } from "#lib/db/connection/columns.ts";
import { defineAny } from "#lib/db/connection/define.ts";
import { statement } from "#lib/db/connection/statement.ts";
import { priceRulesVersion, renewalsVersion } from "#lib/db/reseller/version.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { PriceRules } from "#lib/domain/renewal-price.ts";

export interface RenewalSettings {
  /** Days before a license's end at which its reseller is notified. */
  readonly expiringSoonDays: readonly number[];
  readonly renewAheadDays: number;
}

const updateRenewalSettingsStatement = statement("update_renewal_settings", {
  expiringSoonDays: list(int),
  renewAheadDays: int,
})`
      with old as (
        select r.* from resellers r
         where r.id = $1 and ($7::text is null or ${renewalsVersion} = $7) for no key update
      ), changed as (
        update resellers r set expiring_soon_days = coalesce($2, r.expiring_soon_days),
                               renew_ahead_days = coalesce($3, r.renew_ahead_days)
          from old where r.id = old.id
        returning r.id, r.name, r.expiring_soon_days as days, r.renew_ahead_days as ahead,
                  old.expiring_soon_days as old_days, old.renew_ahead_days as old_ahead
      )
      select days as "expiringSoonDays", ahead as "renewAheadDays",
             write_audit_entry($4, 'reseller.set_renewal_settings', id, 'reseller:' || id, '',
               jsonb_build_object('changes', changes_between(
                 jsonb_build_object('expiringSoonDays', old_days, 'renewAheadDays', old_ahead),
                 jsonb_build_object('expiringSoonDays', days, 'renewAheadDays', ahead))), $5, $6, name)
        from changed`;

/**
 * Updates the given settings with an audit entry. Null: no such reseller, or another version.
 * @param seenVersion null: any version
 */
export async function updateRenewalSettings(
  db: Database,
  change: Partial<RenewalSettings> & { readonly resellerId: ResellerId; readonly by: ChangedBy },
  seenVersion: string | null,
): Promise<RenewalSettings | null> {
  const { resellerId, expiringSoonDays, renewAheadDays, by } = change;
  const values = [resellerId, expiringSoonDays, renewAheadDays, ...changeValues(by), seenVersion];
  const [row] = await db.query(updateRenewalSettingsStatement, values);
  return row ? { expiringSoonDays: row.expiringSoonDays, renewAheadDays: row.renewAheadDays } : null;
}

/**
 * Updates the price rules of automatic renewals, with an audit entry. False: another version.
 * `seenVersion` null: any version.
 */
export const updatePriceRules = defineAny("update_price_rules").values(
  (
    resellerId: ResellerId,
    { noticeDays, maxIncreasePercent }: PriceRules,
    seenVersion: string | null,
    by: ChangedBy,
  ) => [resellerId, noticeDays, maxIncreasePercent, ...changeValues(by), seenVersion],
)`
      with old as (
        select r.* from resellers r
         where r.id = $1 and ($7::text is null or ${priceRulesVersion} = $7) for no key update
      ), changed as (
        update resellers r set price_notice_days = $2, max_increase_percent = $3
          from old where r.id = old.id
        returning r.id, r.name, r.price_notice_days as days, r.max_increase_percent as percent,
                  old.price_notice_days as old_days, old.max_increase_percent as old_percent
      )
      select case when (days, percent) is distinct from (old_days, old_percent) then
               write_audit_entry($4, 'wallet.set_price_rules', id, 'reseller:' || id, '',
                 jsonb_build_object('changes', changes_between(
                   jsonb_build_object('noticeDays', old_days, 'maxIncreasePercent', old_percent),
                   jsonb_build_object('noticeDays', days, 'maxIncreasePercent', percent))), $5, $6, name) end
        from changed`;
