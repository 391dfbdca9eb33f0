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
        <p className="font-medium">1. Make a key for the server</p>
        <p className="text-pretty text-text-muted">
          It may verify and report, and nothing else: whoever reads it on the server can neither buy nor change
          anything.
        </p>
        <ButtonLink className="mt-2" href="/api-keys/new?preset=agent" size="sm">
          Create an agent key
        </ButtonLink>
      </li>
      <li>
        <div className="flex items-start justify-between gap-3">
          <div>
            <p className="font-medium">2. Run this on it, as root</p>
            <p className="text-pretty text-text-muted">
              Set API_KEY to the new key first{licenseKeys.length === 0 && ", and LICENSE_KEY to its license's"}. It
              installs the agent, which reports at once, and from then on every hour. It is a shell script and needs
              curl or wget, nothing else.
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
