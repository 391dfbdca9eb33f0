"use client";
import { useQuery } from "@tanstack/react-query";
import { Banner } from "#components/ui/banner.tsx";
import { CodeText } from "#components/ui/code-text.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
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
        <div>
          <p className="mb-1.5 font-medium text-sm">Try it</p>
          <div className="flex items-start gap-1">
            <CodeText className="min-w-0 flex-1 bg-surface-sunken">{command}</CodeText>
            <CopyButton label="Copy command" value={command} />
          </div>
        </div>
      )}
      <div role="status">
        {request === null ? (
          <Banner title="Waiting for the first request…" />
        ) : (
          <Banner title={titleOf(request)} tone={request.status < 400 ? "positive" : "caution"} />
        )}
      </div>
    </section>
  );
}

function titleOf({ operation, status }: NewestRequest): string {
  const name = operation === "" ? "The first request" : `The first request, ${operation},`;
  return status < 400 ? `${name} was answered: ${status}` : `${name} was refused: ${status}`;
}

async function fetchNewest(apiKeyId: number, signal: AbortSignal): Promise<NewestRequest | null> {
  const answer = await fetch(`/api-keys/${apiKeyId}/newest`, { signal, headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`the log answered ${answer.status}`);
  return (await answer.json()) as NewestRequest | null;
}
