"use client";
import { useState } from "react";
import { SettingsForm } from "#components/form/form.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { fieldAmount, majorMoneyText } from "#components/ui/money-text.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { Currency } from "#lib/domain/money.ts";

export interface PaymentSettingsInput {
  /** As typed, in major units. */
  readonly confirm_above: string;
  readonly instructions: string;
  readonly issuer: string;
}

export interface PaymentSettingsFormProps {
  readonly currency: Currency;
  /** Unfolded from the start. */
  readonly open: boolean;
  readonly values: PaymentSettingsInput;
  readonly action: OnceAction<PaymentSettingsInput>;
}

/** What admins are asked before, and resellers are shown, when money of a currency comes in: a line that unfolds. */
export function PaymentSettingsForm({ currency, open: initiallyOpen, values, action }: PaymentSettingsFormProps) {
  const [open, setOpen] = useState(initiallyOpen);
  return (
    <section aria-label={currency} className="px-4 py-2.5">
      <Disclosure onToggle={setOpen} open={open} summary={<Summary currency={currency} values={values} />}>
        <SettingsForm
          action={action}
          className="my-3 flex max-w-2xl flex-col gap-4 sm:ml-4.5"
          done={`Payment settings of ${currency} saved`}
          id={`payment-${currency}`}
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
      </Disclosure>
    </section>
  );
}

function Summary({ currency, values }: Pick<PaymentSettingsFormProps, "currency" | "values">) {
  const facts = [
    `Confirm above ${majorMoneyText(values.confirm_above, currency)}`,
    values.instructions === "" && "No payment instructions",
    values.issuer === "" && "No issuer",
  ];
  return (
    <span className="flex gap-x-3">
      <span className="w-10 shrink-0 font-medium text-text">{currency}</span>
      <span className="tabular">{facts.filter(Boolean).join(" · ")}</span>
    </span>
  );
}
