"use client";
import { useState } from "react";
import { ShownOnceCard } from "#components/form/shown-once.tsx";
import { useForm } from "#components/form/use-form.ts";
import { PageHeader, type PageHeaderProps } from "#components/ui/page-header.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { KeyCreated, KeyInput } from "./api-key.ts";
import { FirstCall } from "./first-call.tsx";
import { KeyForm } from "./key-form.tsx";
import { KeyReveal } from "./key-reveal.tsx";
import type { LicenseFieldProps } from "./license-field.tsx";
import type { PresetName } from "./scope-presets.ts";

export interface CreateKeyProps {
  readonly create: OnceAction<KeyInput, KeyCreated>;
  readonly listHref: string;
  readonly trail: PageHeaderProps["trail"];
  /** Ends in `/api/v1`. */
  readonly apiUrl: string;
  readonly preset: PresetName;
  readonly license: LicenseFieldProps;
  /** Whether signing secrets can be stored here. */
  readonly signingAvailable: boolean;
  /** Whether the rate limit is this reader's to set. */
  readonly rateLimit: boolean;
}

/** The form, and then the one look at the key. */
export function CreateKey({ create, listHref, trail, apiUrl, ...start }: CreateKeyProps) {
  const [created, setCreated] = useState<KeyCreated | null>(null);
  const form = useForm(create, setCreated);
  if (created !== null) {
    return (
      <>
        <PageHeader title={created.name} trail={trail} />
        <ShownOnceCard
          href={created.href}
          leaveLabel={created.apiKey === null ? "Go to the key" : "Done"}
          title="Key created"
        >
          <KeyReveal {...created} />
          {created.apiKey !== null && (
            <FirstCall
              apiKey={created.apiKey}
              apiKeyId={created.apiKeyId}
              apiUrl={apiUrl}
              signed={created.signing === "required"}
            />
          )}
        </ShownOnceCard>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Create an API key" trail={trail} />
      <KeyForm cancelHref={listHref} form={form} {...start} />
    </>
  );
}
