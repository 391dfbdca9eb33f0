"use client";
import type { setSettings } from "#app/(dashboard)/top-ups/actions.ts";
import { SettingsForm } from "#components/form/form.tsx";
import { SettingLine } from "#components/form/setting-line.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { fieldAmount, majorMoneyText } from "#components/ui/money-text.ts";
import type { Bound, InputOf } from "#lib/domain/action-result.ts";
import type { Currency } from "#lib/domain/money.ts";

export interface PaymentSettingsFormProps {
  readonly currency: Currency;
  /** Unfolded from the start. */
  readonly open: boolean;
  readonly values: InputOf<Bound<typeof setSettings>>;
  readonly action: Bound<typeof setSettings>;
}

/** What admins are asked before, and resellers are shown, when money of a currency comes in: a line that unfolds. */
export function PaymentSettingsForm({ currency, open, values, action }: PaymentSettingsFormProps) {
  return (
    <SettingLine name={currency} open={open} value={storedText({ currency, values })}>
      <SettingsForm
        action={action}
        done={`Payment settings of ${currency} saved`}
        id={`payment-${currency}`}
        stored={{ ...values }}
        to="money:move"
      >
        <TextField
          className="tabular"
          defaultValue={fieldAmount(values.confirm_above, currency)}
          hint="An administrator who credits or adjusts more has to confirm it."
          inputMode="decimal"
          label={`Confirm amounts above (${currency})`}
          name="confirm_above"
        />
        <TextareaField
          defaultValue={values.instructions}
          hint="Shown to resellers who request a top-up: the account to pay to, and what else you need."
          label="Payment instructions"
          name="instructions"
          optional
          rows={3}
        />
        <TextareaField
          defaultValue={values.issuer}
          hint="Your name and address at the top of statements in this currency."
          label="Issuer of statements"
          name="issuer"
          optional
          rows={3}
        />
      </SettingsForm>
    </SettingLine>
  );
}

function storedText({ currency, values }: Pick<PaymentSettingsFormProps, "currency" | "values">): string {
  return [
    `Confirm above ${majorMoneyText(values.confirm_above, currency)}`,
    values.instructions === "" && "No payment instructions",
    values.issuer === "" && "No issuer",
  ]
    .filter(Boolean)
    .join(" · ");
}
