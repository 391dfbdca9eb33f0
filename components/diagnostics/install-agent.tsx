"use client";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Mail } from "lucide-react";
import { useEffect, useState } from "react";
import type { createForAgent } from "#app/(dashboard)/licenses/[id]/actions.ts";
import type { AgentKeysCreated } from "#components/api-key/api-key.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClassName } from "#components/ui/button-style.ts";
import { CopyText } from "#components/ui/copy-text.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { fetchJson } from "#components/ui/fetch-json.ts";
import { Spinner } from "#components/ui/spinner.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useRefresh } from "#components/ui/use-refresh.ts";
import type { Bound } from "#lib/domain/action-result.ts";
import { installMessage, mailtoOf } from "./install-line.ts";
import { type NewestReport, serverHref } from "./server.ts";

export interface InstallAgentProps extends AwaitReportProps {
  /** What the server is to run, for the customer. */
  readonly product: string;
  /** Nothing else on the page leads on. */
  readonly leading?: boolean;
  /** Its licenses are those that the line is for. */
  readonly create: Bound<typeof createForAgent>;
}

/** Makes the line that installs the agent, by a press, and shows when it has worked. */
export function InstallAgent({ create, product, leading = false, ...server }: InstallAgentProps) {
  const [made, setMade] = useState<AgentKeysCreated | null>(null);
  const refresh = useRefresh();
  const { send, pending, failure } = useSubmission(create, (created) => {
    setMade(created);
    // Shows the offer to revoke earlier keys. Next reloads a page of an earlier build; by then, the line is copied.
    void copyLine(created.line).finally(refresh);
  });
  return (
    <Allowed
      fallback={<p className="text-sm text-text-muted">Ask someone who manages API keys for the install command.</p>}
      to="keys:write"
    >
      <div className="flex min-w-0 flex-col gap-3">
        <p className="text-pretty text-sm text-text-muted">
          One line to run as root. Its key only verifies and reports: it can neither buy nor change anything.
        </p>
        <Button
          className="self-start"
          icon={<KeyRound />}
          loading={pending}
          onClick={() => void send({})}
          variant={leading && made === null ? "primary" : "secondary"}
        >
          {made === null ? "Create key and copy command" : "Create another key"}
        </Button>
        {failure && <SubmissionError failure={failure} refusalNote="No command was made." />}
        {made !== null &&
          (made.line === null ? (
            <LineLost />
          ) : (
            <LineShown address={server.address} line={made.line} product={product} />
          ))}
        {made !== null && <AwaitReport {...server} />}
      </div>
    </Allowed>
  );
}

async function copyLine(line: string | null): Promise<void> {
  if (line === null) return;
  try {
    await navigator.clipboard.writeText(line);
    toast({ title: "Install command copied", tone: "positive" });
  } catch {
    // The browser allows it only right after the press; the line has its own button.
  }
}

function LineShown({
  line,
  product,
  address,
}: {
  readonly line: string;
  readonly product: string;
  readonly address: string;
}) {
  const message = installMessage(line, product, address);
  return (
    <>
      <CopyText copyLabel="Copy install command" label="Run on the server as root" value={line} wrap />
      <p className="text-pretty text-text-muted text-xs">
        Shown once. After you leave this page, you can only create another key.
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <a className={buttonClassName("secondary", "sm")} href={mailtoOf(message)}>
          <Mail />
          Email the customer
        </a>
        <Disclosure className="min-w-0 basis-full" summary="Message for the customer">
          <div className="mt-2">
            <CopyText copyLabel="Copy message" label={message.subject} value={message.body} wrap />
          </div>
        </Disclosure>
      </div>
    </>
  );
}

function LineLost() {
  return (
    <Banner title="The response with the command was lost" tone="caution">
      The key was created, but no one has seen it. Create another key, then revoke this one.
    </Banner>
  );
}

const POLL_MS = 3_000;

interface AwaitReportProps {
  readonly address: string;
  /** Of the report that the page shows; null: none. */
  readonly reportedAt: Date | null;
}

/** Renders the page again as soon as the server reports. */
function AwaitReport({ address, reportedAt }: AwaitReportProps) {
  const refresh = useRefresh();
  const [before] = useState(() => reportedAt?.toISOString() ?? null);
  const { data = before } = useQuery({
    queryKey: ["newest-report", address, before],
    queryFn: async ({ signal }) => (await fetchJson<NewestReport>(`${serverHref(address)}/newest`, signal)).reportedAt,
    refetchInterval: ({ state }) => ((state.data ?? before) === before ? POLL_MS : false),
    gcTime: 0,
  });
  useEffect(() => {
    if (data !== before) refresh();
  }, [data, before, refresh]);
  return (
    <p className="flex items-center gap-2 text-sm text-text-muted" role="status">
      {data === before ? (
        <>
          <Spinner /> Waiting for its first report…
        </>
      ) : (
        "The server reports."
      )}
    </p>
  );
}
