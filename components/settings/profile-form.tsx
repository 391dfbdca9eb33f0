"use client";
import { SettingsForm } from "#components/form/form.tsx";
import { SelectField, TextField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface ProfileFormProps {
  readonly name: string;
  /** Null: the browser's. */
  readonly timeZone: string | null;
  readonly timeZones: readonly string[];
  readonly action: OnceAction<{ readonly name: string; readonly time_zone: string }>;
}

export function ProfileForm({ name, timeZone, timeZones, action }: ProfileFormProps) {
  return (
    <SettingsForm
      action={action}
      className="flex max-w-sm flex-col gap-4"
      done="Profile saved"
      submitLabel="Save profile"
    >
      <TextField
        autoComplete="name"
        defaultValue={name}
        hint="Others see it next to what you do."
        label="Name"
        name="name"
      />
      <SelectField
        defaultValue={timeZone ?? ""}
        hint="For all times except those marked UTC, such as on statements."
        label="Time zone"
        name="time_zone"
        options={timeZones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
        placeholder="The browser's"
        required={false}
      />
    </SettingsForm>
  );
}
