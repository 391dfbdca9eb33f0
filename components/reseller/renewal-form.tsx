"use client";
import { SettingsForm } from "#components/form/form.tsx";
import { TextField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { RenewalInput } from "./settings.ts";

export interface RenewalFormProps {
  readonly values: RenewalInput;
  readonly action: OnceAction<RenewalInput>;
}

export function RenewalForm({ values, action }: RenewalFormProps) {
  return (
    <SettingsForm action={action} done="Renewal settings saved" stored={{ ...values }} to="resellers:write">
      <TextField
        className="tabular"
        defaultValue={values.expiring_soon}
        hint="Days before a license expires that the reseller is notified, such as 14, 3. Leave it empty for no notice."
        inputMode="numeric"
        label="Days of notice"
        name="expiring_soon"
        optional
      />
      <TextField
        className="tabular w-24!"
        defaultValue={values.renew_ahead}
        hint="Automatic renewals are charged this many days before the term ends."
        inputMode="numeric"
        label="Auto-renew lead time (days)"
        name="renew_ahead"
      />
    </SettingsForm>
  );
}
