"use client";
import { useState } from "react";
import type { add } from "#app/(dashboard)/providers/actions.ts";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { PageForm, usePageForm } from "#components/form/page-form.tsx";
import { TextField } from "#components/ui/field.tsx";
import type { InputOf } from "#lib/domain/action-result.ts";

export interface ProviderFormProps {
  /** Null: a new one. */
  readonly stored: { readonly name: string; readonly baseUrl: string; readonly signs: boolean } | null;
  readonly cancelHref: string;
  readonly action: typeof add;
}

/** Credentials are written and never shown. An empty key keeps the stored one, unless the address changes. */
export function ProviderForm({ stored, cancelHref, action }: ProviderFormProps) {
  const [baseUrl, setBaseUrl] = useState(stored?.baseUrl ?? "");
  const [chosen, setSigning] = useState<InputOf<typeof action>["signing"]>(stored?.signs ? "keep" : "none");
  // What is stored is for the stored address alone.
  const keeps = stored !== null && baseUrl.trim() === stored.baseUrl;
  const signing = chosen === "keep" && !keeps ? "set" : chosen;
  const form = usePageForm(action, stored === null ? "Provider added" : "Provider changed", {
    base_url: stored?.baseUrl ?? "",
    signing: stored?.signs ? "stored secret" : "none",
  });
  const choices = [
    ...(stored?.signs && keeps ? [{ value: "keep", label: "Sign with the stored secret" }] : []),
    { value: "none", label: "Do not sign", detail: "The key alone is enough." },
    {
      value: "set",
      label: stored?.signs && keeps ? "Sign with another secret" : "Sign",
      detail: "With the key's signing secret.",
    },
  ];
  return (
    <PageForm
      cancelHref={cancelHref}
      form={form}
      input={(textOf) => ({
        name: stored?.name ?? textOf("name"),
        signing,
        signing_secret: textOf("signing_secret"),
      })}
      refusalNote={stored === null ? "No provider was added." : "Nothing was changed."}
      submitLabel={stored === null ? "Add provider" : "Save changes"}
    >
      {stored === null && (
        <TextField
          hint="Short name that products refer to, such as upstream. It cannot be changed."
          label="Name"
          mono
          name="name"
        />
      )}
      <TextField
        hint={
          stored === null
            ? "Base URL of its API, which ends in /api/v1/."
            : "Only for a new address of the same service. Existing licenses keep their references."
        }
        inputMode="url"
        label="Address"
        mono
        name="base_url"
        onChange={({ target }) => setBaseUrl(target.value)}
        placeholder="https://host.example/api/v1/"
        value={baseUrl}
      />
      <TextField
        data-1p-ignore=""
        hint={keyHint(stored !== null, keeps)}
        label="API key"
        mono
        name="api_key"
        optional={keeps}
        type="password"
      />
      <ChoiceCards
        choices={choices}
        columns={choices.length === 3 ? 3 : 2}
        legend="Signed requests"
        name="signing"
        onChange={(value) => setSigning(value as InputOf<typeof action>["signing"])}
        value={signing}
      />
      {signing === "set" && (
        <TextField
          data-1p-ignore=""
          hint="Stored encrypted and never shown again."
          label="Signing secret"
          mono
          name="signing_secret"
          type="password"
        />
      )}
    </PageForm>
  );
}

function keyHint(isStored: boolean, keeps: boolean): string {
  if (!isStored) return "Your key at this provider. It is stored encrypted and never shown again.";
  return keeps
    ? "Never shown. Leave empty to keep the stored key."
    : "Enter it again: the stored key stays with the stored address.";
}
