import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { as, bigint, nullable, text } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineList } from "#lib/db/connection/define.ts";
import type { Currency } from "#lib/domain/money.ts";

const paymentSettingRow = {
  currency: as<Currency>(text),
  /** Minor units; null: the default. */
  confirmAbove: nullable(bigint),
  instructions: nullable(text),
  issuer: nullable(text),
  /** Empty: nothing was set. */
  version: text,
};

/** Of every currency that a reseller has. */
export const listPaymentSettings = defineList("list_payment_settings", paymentSettingRow)`
      select c.currency, s.confirm_above as "confirmAbove", s.instructions, s.issuer,
             coalesce(s.xmin::text, '') as version
        from (select currency from resellers union select currency from payment_settings) c
        left join payment_settings s on s.currency = c.currency order by c.currency`;

export const findPaymentSetting = defineFind("find_payment_setting", paymentSettingRow)<[currency: Currency]>`
      select currency, confirm_above as "confirmAbove", instructions, issuer, xmin::text as version from payment_settings where currency = $1`;

export interface PaymentSetting {
  readonly currency: Currency;
  /** Minor units. */
  readonly confirmAbove: bigint;
  readonly instructions: string;
  readonly issuer: string;
}

/** False: it is no longer `seenVersion`. Null: whatever it is. */
export const setPaymentSetting = defineAny("set_payment_setting").values(
  ({ currency, confirmAbove, instructions, issuer }: PaymentSetting, seenVersion: string | null, by: ChangedBy) => {
    return [currency, confirmAbove, instructions, issuer, seenVersion, ...changeValues(by)];
  },
)`
        with stored as (
          insert into payment_settings (currency, confirm_above, instructions, issuer) values ($1, $2, $3, $4)
          on conflict (currency) do update
             set confirm_above = excluded.confirm_above, instructions = excluded.instructions, issuer = excluded.issuer
           where $5::text is null or payment_settings.xmin::text = $5
          returning *
        )
        select write_audit_entry($6, 'wallet.set_payment_settings', null, 'currency:' || s.currency, '',
                 jsonb_build_object('confirm_above', s.confirm_above::text, 'instructions', s.instructions, 'issuer', s.issuer), $7, $8)
          from stored s`;
