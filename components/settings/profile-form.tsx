"use client";
import { SettingsForm } from "#components/form/form.tsx";
import { TextField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface ProfileFormProps {
  readonly name: string;
  readonly action: OnceAction<{ readonly name: string }>;
}

export function ProfileForm({ name, action }: ProfileFormProps) {
  return (
    <SettingsForm action={action} className="flex max-w-sm flex-col gap-4" done="Name saved" submitLabel="Save name">
      <TextField
        autoComplete="name"
        defaultValue={name}
        hint="Others see it next to what you do."
        label="Name"
        name="name"
      />
    </SettingsForm>
  );
}
