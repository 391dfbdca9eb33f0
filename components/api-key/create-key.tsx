"use client";
import { useState } from "react";
import { ShownOnceCard } from "#components/form/shown-once.tsx";
import { useForm } from "#components/form/use-form.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { KeyInput, KeyShown } from "./api-key.ts";
import { KeyForm } from "./key-form.tsx";
import { KeyReveal } from "./key-reveal.tsx";
import type { PresetName } from "./scope-presets.ts";

export interface CreateKeyProps {
  readonly create: OnceAction<KeyInput, KeyShown>;
  readonly listHref: string;
  readonly preset: PresetName;
  /** Whether signing secrets can be stored here. */
  readonly signingAvailable: boolean;
  /** Whether the rate limit is this reader's to set. */
  readonly rateLimit: boolean;
}

/** The form, and then the one look at the key. */
export function CreateKey({ create, listHref, preset, signingAvailable, rateLimit }: CreateKeyProps) {
  const [created, setCreated] = useState<KeyShown | null>(null);
  const form = useForm(create, setCreated);
  if (created !== null) {
    return (
      <ShownOnceCard
        href={created.href}
        leaveLabel={created.apiKey === null ? "Go to the key" : "Done"}
        title="The key is created"
      >
        <KeyReveal {...created} />
      </ShownOnceCard>
    );
  }
  return (
    <KeyForm
      cancelHref={listHref}
      form={form}
      preset={preset}
      rateLimit={rateLimit}
      signingAvailable={signingAvailable}
    />
  );
}
