import { keyFormHref } from "#components/api-key/key-params.ts";
import { installCommand } from "#components/diagnostics/install-command.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { CommandCard } from "./command-card.tsx";

export interface InstallSnippetProps {
  /** Where the dashboard is, without a path. */
  readonly origin: string;
  /** `lic_12` */
  readonly licenseId: string;
  readonly licenseKey: string;
  /** The agent already reports from there. */
  readonly reports: boolean;
}

/** What sets the agent up on the license's server (docs/agent.md), with its key filled in. */
export function InstallSnippet({ origin, licenseId, licenseKey, reports }: InstallSnippetProps) {
  return (
    <CommandCard
      command={installCommand(origin, [licenseKey])}
      copyLabel="Copy install command"
      description={
        <>
          It verifies this license every hour and reports how the server is.{" "}
          <Allowed fallback="Create an agent key" to="keys:write">
            <TextLink href={keyFormHref("/api-keys/new", { preset: "agent", license: licenseId })} prefetch={false}>
              Create an agent key
            </TextLink>
          </Allowed>
          that works for this license alone, paste it into the first line, and run this on the server as root.
        </>
      }
      folded={reports}
      title={reports ? "Install the agent again" : "Install the agent"}
    />
  );
}
