import { installCommand } from "#components/diagnostics/install-command.ts";
import { CommandCard } from "./command-card.tsx";

export interface InstallSnippetProps {
  /** Where the dashboard is, without a path. */
  readonly origin: string;
  readonly licenseKey: string;
}

/** What sets the agent up on the license's server (docs/agent.md), with its key filled in. */
export function InstallSnippet({ origin, licenseKey }: InstallSnippetProps) {
  return (
    <CommandCard
      command={installCommand(origin, [licenseKey])}
      copyLabel="Copy install command"
      description="As root on the server: verifies every hour, and reports what the server is. Set API_KEY to a key with the scopes licenses:verify and diagnostics:write first."
      title="Install the agent"
    />
  );
}
