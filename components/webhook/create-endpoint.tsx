"use client";
import { useEffect, useRef, useState } from "react";
import { useSubmission } from "#components/form/use-submission.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { SecretLost, SecretReveal } from "./secret-reveal.tsx";
import type { EndpointCreated, EndpointInput } from "./webhook.ts";

const blank = { url: "", description: "", every_event: true, events: [], ordered: false, concurrency: 4 } as const;

/** The form, and then the one look at the secret. */
export function CreateEndpoint({ create }: { readonly create: OnceAction<EndpointInput, EndpointCreated> }) {
  const [created, setCreated] = useState<EndpointCreated | null>(null);
  const submission = useSubmission(create, setCreated);
  if (created !== null) return <Created created={created} />;
  return (
    <EndpointForm
      cancel={<ButtonLink href="/webhooks">Cancel</ButtonLink>}
      initial={blank}
      refusalNote="No endpoint was added."
      submission={submission}
      submitLabel="Add endpoint"
    />
  );
}

function Created({ created: { secret, href } }: { readonly created: EndpointCreated }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Card className="max-w-2xl">
      <div className="flex flex-col gap-4">
        <div>
          <h2 className="font-semibold text-lg outline-none" ref={ref} tabIndex={-1}>
            Endpoint added
          </h2>
          <p className="text-text-muted">
            A challenge is on its way: once it is answered, events are sent. Store the signing secret where your system
            can read it.
          </p>
        </div>
        {secret === null ? (
          <SecretLost>Rotate the secret on the endpoint's page to get one that you can see.</SecretLost>
        ) : (
          <SecretReveal secret={secret} />
        )}
        <div>
          <ButtonLink href={href} variant="primary">
            {secret === null ? "Go to the endpoint" : "Done"}
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}
