"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { create } from "#app/(dashboard)/api-keys/actions.ts";
import { ShownOnceCard } from "#components/form/shown-once.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Banner } from "#components/ui/banner.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import { fetchJson } from "#components/ui/fetch-json.ts";
import { PageHeader, type PageHeaderProps } from "#components/ui/page-header.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import type { KeyCreated, NewestRequest } from "./api-key.ts";
import { KeyForm, type KeyFormProps } from "./key-form.tsx";
import { KeyReveal } from "./key-reveal.tsx";

export interface CreateKeyProps extends Omit<KeyFormProps, "form" | "cancelHref"> {
  readonly create: Bound<typeof create>;
  readonly listHref: string;
  /** Of the window. */
  readonly title: string;
  readonly trail: PageHeaderProps["trail"];
  /** Ends in `/api/v1`. */
  readonly apiUrl: string;
}

/** The form, and then the one look at the key. */
export function CreateKey({ create, listHref, title, trail, apiUrl, ...start }: CreateKeyProps) {
  const [created, setCreated] = useState<KeyCreated | null>(null);
  const form = useForm(create, setCreated);
  if (created !== null) {
    return (
      <>
        <PageHeader heading={created.name} title={title} trail={trail} />
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
      <PageHeader heading="Create an API key" title={title} trail={trail} />
      <KeyForm cancelHref={listHref} form={form} {...start} />
    </>
  );
}

const POLL_MS = 2_000;

interface FirstCallProps {
  readonly apiKeyId: number;
  readonly apiKey: string;
  /** Ends in `/api/v1`. */
  readonly apiUrl: string;
  /** Whether every request has to be signed. */
  readonly signed: boolean;
}

/** A first request to copy, and whether one has arrived. */
function FirstCall({ apiKeyId, apiKey, apiUrl, signed }: FirstCallProps) {
  const { data: request = null } = useQuery({
    queryKey: ["newest-request", apiKeyId],
    queryFn: ({ signal }) => fetchJson<NewestRequest | null>(`/api-keys/${apiKeyId}/newest`, signal),
    refetchInterval: ({ state }) => (state.data ? false : POLL_MS),
    gcTime: 0,
  });
  const command = `curl ${apiUrl}/me \\\n  -H "Authorization: Bearer ${apiKey}"`;
  return (
    <section aria-label="First request" className="flex flex-col gap-3">
      {signed ? (
        <p className="text-sm text-text-muted">
          Requests with this key have to be <TextLink href="/docs/rules#rule-3.14">signed</TextLink>.
        </p>
      ) : (
        <CopyText copyLabel="Copy command" label="Try it" value={command} />
      )}
      <div role="status">
        {request === null ? <Banner title="Waiting for the first request…" /> : <Arrived request={request} />}
      </div>
    </section>
  );
}

function Arrived({ request: { method, operation, status } }: { readonly request: NewestRequest }) {
  const isRefused = status >= 400;
  return (
    <Banner
      title={isRefused ? "First request refused" : "First request received"}
      tone={isRefused ? "caution" : "positive"}
    >
      <code className="font-mono">{operation === "" ? method : `${method} ${operation}`}</code> was answered with status{" "}
      {status}.
    </Banner>
  );
}
