"use client";
import { useEffect, useRef, useState } from "react";
import { useSubmission } from "#components/form/use-submission.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
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
  const submission = useSubmission(create, setCreated);
  if (created !== null) return <Created created={created} />;
  return (
    <KeyForm
      cancelHref={listHref}
      preset={preset}
      rateLimit={rateLimit}
      signingAvailable={signingAvailable}
      submission={submission}
    />
  );
}

function Created({ created }: { readonly created: KeyShown }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Card className="max-w-2xl">
      <div className="flex flex-col gap-4">
        <h2 className="font-semibold text-lg outline-none" ref={ref} tabIndex={-1}>
          The key is created
        </h2>
        <KeyReveal {...created} />
        <div>
          <ButtonLink href={created.href} variant="primary">
            {created.apiKey === null ? "Go to the key" : "Done"}
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}
