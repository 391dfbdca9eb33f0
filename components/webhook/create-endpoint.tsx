"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { create } from "#app/(dashboard)/webhooks/actions.ts";
import { ShownOnceCard } from "#components/form/shown-once.tsx";
import { useForm } from "#components/form/use-form.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { SecretLost, SecretReveal } from "./secret-reveal.tsx";
import type { EndpointCreated } from "./webhook.ts";

const blank = { description: "", every_event: true, events: [], ordered: false, concurrency: 4 } as const;

/** The form, and then the one look at the secret. */
export function CreateEndpoint({ action }: { readonly action: typeof create }) {
  const [created, setCreated] = useState<EndpointCreated | null>(null);
  const router = useRouter();
  const form = useForm(action, (result) => {
    if (result.format === "standard") return setCreated(result);
    router.push(result.href);
    return true;
  });
  if (created !== null) {
    const { secret, href } = created;
    return (
      <ShownOnceCard href={href} leaveLabel={secret === null ? "Go to the endpoint" : "Done"} title="Endpoint added">
        <p className="-mt-4 text-text-muted">
          A challenge is on its way: once it is answered, events are sent. Store the signing secret where your system
          can read it.
        </p>
        {secret === null ? (
          <SecretLost>Rotate the secret on the endpoint's page to get one that you can see.</SecretLost>
        ) : (
          <SecretReveal secret={secret} />
        )}
      </ShownOnceCard>
    );
  }
  return (
    <EndpointForm
      cancel={<ButtonLink href="/webhooks">Cancel</ButtonLink>}
      form={form}
      current={null}
      initial={blank}
      refusalNote="No endpoint was added."
      submitLabel="Add endpoint"
    />
  );
}
