"use client";
import { SettingsForm } from "#components/form/form.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { type MailKind, mailKinds } from "#lib/domain/mail/kinds.ts";

export interface MailPreferencesProps {
  readonly preferences: readonly { readonly kind: MailKind; readonly on: boolean }[];
  /** Kind → "on"; those that are absent are off. */
  readonly save: OnceAction<Readonly<Record<string, string>>>;
}

export function MailPreferences({ preferences, save }: MailPreferencesProps) {
  return (
    <SettingsForm action={save} done="Notifications saved" submitLabel="Save notifications">
      <div className="flex flex-col gap-1">
        {preferences.map(({ kind, on }) => (
          <Checkbox defaultChecked={on} key={kind} label={mailKinds[kind].title} name={kind} />
        ))}
      </div>
    </SettingsForm>
  );
}
