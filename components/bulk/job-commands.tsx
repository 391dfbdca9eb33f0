"use client";
import { Download, KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { createCommands } from "#app/(dashboard)/jobs/[id]/actions.ts";
import type { CommandsCreated, ServerCommand } from "#components/api-key/api-key.ts";
import { installMessage } from "#components/diagnostics/install-line.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { saveFile } from "#components/ui/save-file.ts";
import { toast } from "#components/ui/toast-store.ts";
import { useRefresh } from "#components/ui/use-refresh.ts";
import type { Bound } from "#lib/domain/action-result.ts";

export interface JobCommandsProps {
  readonly jobId: number;
  readonly create: Bound<typeof createCommands>;
  /** Says which keys are to be revoked. */
  readonly earlierKeys: ReactNode;
}

/** Makes the install command of each server that a job has registered, with the message that hands it over. */
export function JobCommands({ jobId, create, earlierKeys }: JobCommandsProps) {
  const [made, setMade] = useState<CommandsCreated | null>(null);
  const refresh = useRefresh();
  const { send, pending, failure } = useSubmission(create, (created) => {
    setMade(created);
    // As after the line of one server (`InstallAgent`).
    void copyAll(created.commands).finally(refresh);
  });
  return (
    <Allowed to="keys:write">
      <Card
        description="Run each server's line as root. The keys in them only verify and report: they can neither buy nor change anything."
        title="Install commands"
      >
        <div className="flex flex-col gap-3">
          <div>
            <Button
              icon={<KeyRound />}
              loading={pending}
              onClick={() => void send({})}
              variant={made === null ? "primary" : "secondary"}
            >
              {made === null ? "Create keys and copy commands" : "Create new keys"}
            </Button>
          </div>
          {failure && <SubmissionError failure={failure} refusalNote="No command was made." />}
          {made?.commands === null && (
            <Banner title="The response with the commands was lost" tone="caution">
              The keys were created, but no one has seen them. Create new keys, then revoke these.
            </Banner>
          )}
          {made?.commands && <Commands commands={made.commands} jobId={jobId} />}
          {earlierKeys}
        </div>
      </Card>
    </Allowed>
  );
}

function Commands({
  commands,
  jobId,
}: { readonly commands: readonly ServerCommand[] } & Pick<JobCommandsProps, "jobId">) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-text-muted">Shown once. After you leave this page, you can only create new keys.</p>
        <Button
          icon={<Download />}
          onClick={() => saveFile(`install-commands-job-${jobId}.txt`, new Blob([messagesOf(commands)]))}
          size="sm"
        >
          Download messages
        </Button>
      </div>
      <ul className="max-h-128 divide-y overflow-y-auto rounded-md border">
        {commands.map(({ address, product, line }) => {
          const message = installMessage(line, product, address);
          return (
            <li className="relative px-3 py-2" key={address}>
              <Disclosure
                className="[&>summary]:mr-10"
                summary={
                  <>
                    <span className="font-mono text-text">{address}</span> {product}
                  </>
                }
              >
                <div className="mt-2 flex flex-col gap-3 pb-1">
                  <CopyText copyLabel="Copy install command" label="Run on the server as root" value={line} wrap />
                  <CopyText copyLabel="Copy message" label={message.subject} value={message.body} wrap />
                </div>
              </Disclosure>
              <div className="absolute top-2 right-3">
                <CopyButton label={`Copy install command of ${address}`} value={line} />
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** One message for each customer, as a file. */
function messagesOf(commands: readonly ServerCommand[]): string {
  return commands
    .map(({ address, product, line }) => installMessage(line, product, address))
    .map(({ subject, body }) => `${subject}\n\n${body}\n`)
    .join(`\n${"-".repeat(72)}\n\n`);
}

async function copyAll(commands: readonly ServerCommand[] | null): Promise<void> {
  if (commands === null) return;
  try {
    await navigator.clipboard.writeText(commands.map(({ address, line }) => `# ${address}\n${line}\n`).join("\n"));
    toast({ title: commands.length === 1 ? "Install command copied" : "Install commands copied", tone: "positive" });
  } catch {
    // The browser allows it only right after the press; each line has its own button.
  }
}
