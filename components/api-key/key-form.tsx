"use client";
import { useState } from "react";
import type { create } from "#app/(dashboard)/api-keys/actions.ts";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { PageForm } from "#components/form/page-form.tsx";
import type { FormState } from "#components/form/use-form.ts";
import { SelectField, TextareaField, TextField } from "#components/ui/field.tsx";
import type { Bound, InputOf } from "#lib/domain/action-result.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { SigningChoice } from "./api-key.ts";
import { expiries, ON_A_DAY } from "./expiries.ts";
import { LicenseField, type LicenseFieldProps } from "./license-field.tsx";
import { ScopePicker } from "./scope-picker.tsx";
import { isAgentAccess, type PresetName, presets } from "./scope-presets.ts";

const signingChoices = [
  { value: "none", label: "No", detail: "The key alone is enough." },
  { value: "optional", label: "Optional", detail: "Signed requests are checked, others pass." },
  { value: "required", label: "Required", detail: "A stolen key alone is useless." },
] as const satisfies readonly { value: SigningChoice; label: string; detail: string }[];

export interface KeyFormProps {
  readonly form: FormState<InputOf<Bound<typeof create>>>;
  readonly cancelHref: string;
  readonly preset: PresetName;
  readonly license: LicenseFieldProps;
  /** Whether signing secrets can be stored here. */
  readonly signingAvailable: boolean;
  /** Whether the rate limit is this reader's to set. */
  readonly rateLimit: boolean;
}

export function KeyForm({ form, cancelHref, preset: initial, license, signingAvailable, rateLimit }: KeyFormProps) {
  const [preset, setPreset] = useState(initial);
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const [signing, setSigning] = useState<SigningChoice>("none");
  const held: readonly Scope[] = presets[preset].scopes ?? chosen;
  return (
    <PageForm
      cancelHref={cancelHref}
      form={form}
      input={(textOf) => ({
        scopes: held,
        license_id: textOf("license_id"),
        expires_at: textOf("expires_at"),
        signing,
        rate_limit: textOf("rate_limit"),
      })}
      note={`The key is shown once, after you create it.${
        rateLimit ? "" : " It can make 600 requests per minute."
      } It costs nothing.`}
      refusalNote="No key was created."
      submitLabel="Create key"
    >
      <TextField
        hint="Name the program that uses it."
        defaultValue={license.text === "" ? undefined : `Agent of ${license.text}`}
        label="Name"
        name="name"
        placeholder="Shop, backup server, …"
      />
      <ScopePicker chosen={chosen} onChosenChange={setChosen} onPresetChange={setPreset} preset={preset} />
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        <ExpiryField />
        {isAgentAccess(held) && <LicenseField {...license} />}
      </div>
      <TextareaField
        autoComplete="off"
        className="font-mono"
        hint="Addresses or ranges such as 203.0.113.0/24, one per line. If left empty, it works from anywhere."
        label="Source addresses"
        name="cidrs"
        optional
        placeholder="203.0.113.7"
        spellCheck={false}
      />
      {rateLimit && (
        <TextField
          className="max-w-32"
          hint="600 if left empty."
          inputMode="numeric"
          label="Requests per minute"
          name="rate_limit"
          optional
          placeholder="600"
        />
      )}
      {signingAvailable && (
        <ChoiceCards
          choices={signingChoices}
          columns={3}
          legend="Signed requests"
          name="signing"
          onChange={(value) => setSigning(signingChoices.find((choice) => choice.value === value)?.value ?? "none")}
          value={signing}
        />
      )}
    </PageForm>
  );
}

/** How long a key works; the server counts, so that a form sent twice asks the same. */
function ExpiryField() {
  const [expires, setExpires] = useState<string>(expiries[0].value);
  return (
    <div className="flex flex-col gap-y-4" data-field="expires_at">
      <SelectField
        className="w-full!"
        label="Expires"
        name="expires"
        onChange={({ target }) => setExpires(target.value)}
        options={expiries}
        value={expires}
      />
      {expires === ON_A_DAY && (
        <TextField
          className="w-44!"
          hint="It works through this day, in UTC."
          label="Last day"
          name="expires_at"
          type="date"
        />
      )}
    </div>
  );
}
