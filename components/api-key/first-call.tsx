"use client";
import { useQuery } from "@tanstack/react-query";
import { Banner } from "#components/ui/banner.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { NewestRequest } from "./api-key.ts";

const POLL_MS = 2_000;

export interface FirstCallProps {
  readonly apiKeyId: number;
  readonly apiKey: string;
  /** Ends in `/api/v1`. */
  readonly apiUrl: string;
  /** Whether every request has to be signed. */
  readonly signed: boolean;
}

/** A first request to copy, and whether one has arrived. */
export function FirstCall({ apiKeyId, apiKey, apiUrl, signed }: FirstCallProps) {
  const { data: request = null } = useQuery({
    queryKey: ["newest-request", apiKeyId],
    queryFn: ({ signal }) => fetchNewest(apiKeyId, signal),
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

async function fetchNewest(apiKeyId: number, signal: AbortSignal): Promise<NewestRequest | null> {
  const answer = await fetch(`/api-keys/${apiKeyId}/newest`, { signal, headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`the log answered ${answer.status}`);
  return (await answer.json()) as NewestRequest | null;
}
