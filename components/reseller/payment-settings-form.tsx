"use client";
import { SettingsForm } from "#components/form/form.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface PaymentSettingsInput {
  /** As typed, in major units. */
  readonly confirm_above: string;
  readonly instructions: string;
  readonly issuer: string;
}

export interface PaymentSettingsFormProps {
  readonly currency: string;
  readonly values: PaymentSettingsInput;
  readonly action: OnceAction<PaymentSettingsInput>;
}

/** What admins are asked before, and resellers are shown, when money of a currency comes in. */
export function PaymentSettingsForm({ currency, values, action }: PaymentSettingsFormProps) {
  return (
    <Card title={currency}>
      <SettingsForm
        action={action}
        className="flex flex-col gap-4"
        done={`Payment settings of ${currency} saved`}
        id={`payment-${currency}`}
        to="money:move"
      >
        <TextField
          className="tabular"
          defaultValue={values.confirm_above}
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
    </Card>
  );
}
