import type { ChangedBy } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, nullable, text } from "#lib/db/connection/columns.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { Currency } from "#lib/domain/money.ts";

const paymentSettingRow = {
  currency: as<Currency>(text),
  /** Minor units; null: the default. */
  confirmAbove: nullable(bigint),
  instructions: nullable(text),
};
export type PaymentSettingRow = RowOf<typeof paymentSettingRow>;

const listPaymentSettingsStatement = statement("list_payment_settings", paymentSettingRow)`
      select c.currency, s.confirm_above as "confirmAbove", s.instructions
        from (select currency from resellers union select currency from payment_settings) c
        left join payment_settings s on s.currency = c.currency order by c.currency`;

/** Of every currency that a reseller has. */
export async function listPaymentSettings(db: Database): Promise<PaymentSettingRow[]> {
  return db.query(listPaymentSettingsStatement, []);
}

const findPaymentSettingStatement = statement("find_payment_setting", paymentSettingRow)`
      select currency, confirm_above as "confirmAbove", instructions from payment_settings where currency = $1`;

export async function findPaymentSetting(db: Database, currency: Currency): Promise<PaymentSettingRow | null> {
  return findRow(db, findPaymentSettingStatement, [currency]);
}

const setPaymentSettingStatement = statement("set_payment_setting")`
        with stored as (
          insert into payment_settings (currency, confirm_above, instructions) values ($1, $2, $3)
          on conflict (currency) do update set confirm_above = excluded.confirm_above, instructions = excluded.instructions
          returning *
        )
        select write_audit_entry($4, 'wallet.set_payment_settings', null, 'currency:' || s.currency, '',
                 jsonb_build_object('confirm_above', s.confirm_above::text, 'instructions', s.instructions), $5, $6)
          from stored s`;

export async function setPaymentSetting(
  db: Database,
  setting: { readonly currency: Currency; readonly confirmAbove: bigint; readonly instructions: string },
  by: ChangedBy,
): Promise<void> {
  const { currency, confirmAbove, instructions } = setting;
  await db.query(setPaymentSettingStatement, [currency, confirmAbove, instructions, by.actor, by.now, by.requestId]);
}
