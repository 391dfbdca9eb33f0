"use client";
import { SettingsForm } from "#components/form/form.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { ProfileInput } from "./settings.ts";

export interface ResellerProfileFormProps {
  readonly values: ProfileInput;
  readonly action: OnceAction<ProfileInput>;
}

export function ResellerProfileForm({ values, action }: ResellerProfileFormProps) {
  return (
    <SettingsForm action={action} done="Saved" stored={{ ...values }} to="resellers:write">
      <TextField defaultValue={values.name} label="Name" name="name" />
      <TextField
        defaultValue={values.email}
        hint="For messages to the company. Sign-in emails stay the same."
        label="Email"
        name="email"
        spellCheck={false}
        type="email"
      />
      <TextareaField
        defaultValue={values.notes}
        hint="Only administrators see this."
        label="Notes"
        name="notes"
        optional
      />
    </SettingsForm>
  );
}
