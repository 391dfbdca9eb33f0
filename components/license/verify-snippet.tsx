import type { ReactNode } from "react";
import { Card } from "#components/ui/card.tsx";
import { CodeText } from "#components/ui/code-text.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

export interface VerifySnippetProps {
  /** Ends in `/api/v1`. */
  readonly apiUrl: string;
  readonly licenseKey: string;
  readonly ipAddress: string;
}

/** What a server runs to ask whether its license holds. */
export function VerifySnippet({ apiUrl, licenseKey, ipAddress }: VerifySnippetProps) {
  const command = [
    `curl -X POST ${apiUrl}/license/verify \\`,
    `  -H "Authorization: Bearer $API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify({ license_key: licenseKey, ip_address: ipAddress })}'`,
  ].join("\n");
  return (
    <CommandCard
      command={command}
      copyLabel="Copy command"
      description="Run it on the server, with an API key that has the scope licenses:verify."
      title="Verify"
    />
  );
}

interface CommandCardProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly command: string;
  readonly copyLabel: string;
}

/** A command to be run on a server. */
function CommandCard({ title, description, command, copyLabel }: CommandCardProps) {
  return (
    <Card actions={<CopyButton label={copyLabel} value={command} />} description={description} title={title}>
      <CodeText>{command}</CodeText>
    </Card>
  );
}
