import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { CodeText } from "#components/ui/code-text.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { installCommand } from "./install-command.ts";

export interface InstallAgentProps {
  /** Where the desk is: `https://desk.example.com`. */
  readonly origin: string;
  /** Of the server's licenses; empty: to be filled in. */
  readonly licenseKeys: readonly string[];
}

/** The steps that make a server report, each with what to copy. */
export function InstallAgent({ origin, licenseKeys }: InstallAgentProps) {
  const command = installCommand(origin, licenseKeys);
  return (
    <ol className="flex flex-col gap-4 text-sm">
      <li>
        <p className="font-medium">1. Create a key for the server</p>
        <p className="text-pretty text-text-muted">
          It can only verify and report: anyone who reads it on the server can neither buy nor change anything.
        </p>
        <Allowed to="keys:write">
          {" "}
          <ButtonLink className="mt-2" href="/api-keys/new?preset=agent" size="sm">
            Create an agent key
          </ButtonLink>
        </Allowed>
      </li>
      <li>
        <div className="flex items-start justify-between gap-3">
          <div>
            <p className="font-medium">2. Run this on the server, as root</p>
            <p className="text-pretty text-text-muted">
              Paste the new key into the first line{licenseKeys.length === 0 && ", and the license’s into the second"}.
              It installs the agent, which reports at once and then every hour. The agent is a shell script that needs
              only curl or wget.
            </p>
          </div>
          <CopyButton label="Copy the commands" value={command} />
        </div>
        <div className="mt-2">
          <CodeText>{command}</CodeText>
        </div>
      </li>
    </ol>
  );
}
