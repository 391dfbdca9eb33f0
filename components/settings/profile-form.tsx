"use client";
import type { saveProfile } from "#app/(dashboard)/settings/actions.ts";
import { SettingsForm } from "#components/form/form.tsx";
import { SelectField, TextField } from "#components/ui/field.tsx";
import { type FormatLocale, formatLocales } from "#lib/domain/format-locale.ts";

export interface ProfileFormProps {
  readonly name: string;
  /** Null: the browser's. */
  readonly timeZone: string | null;
  readonly timeZones: readonly string[];
  /** Null: the default. */
  readonly formatLocale: FormatLocale | null;
  readonly action: typeof saveProfile;
}

const SAMPLE = { number: 1234567.89, day: new Date("2026-01-31T00:00:00Z") };

function sampleOf(locale: FormatLocale): string {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(SAMPLE.day);
  return `${SAMPLE.number.toLocaleString(locale)} · ${day}`;
}

export function ProfileForm({ name, timeZone, timeZones, formatLocale, action }: ProfileFormProps) {
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
        hint="Others see it next to your actions."
        label="Name"
        name="name"
      />
      <SelectField
        defaultValue={timeZone ?? ""}
        hint="For all times except those marked UTC, such as on statements."
        label="Time zone"
        name="time_zone"
        options={timeZones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
        placeholder="As in the browser"
        required={false}
      />
      <SelectField
        defaultValue={formatLocale ?? formatLocales[0]}
        hint="Emails, exports and the API always use the first format."
        label="Numbers and dates"
        name="format_locale"
        options={formatLocales.map((locale) => ({ value: locale, label: sampleOf(locale) }))}
      />
    </SettingsForm>
  );
}
