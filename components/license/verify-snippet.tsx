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
    <Card
      actions={<CopyButton label="Copy command" value={command} />}
      description="Run it on the server, with an API key that has the scope licenses:verify."
      title="Verify"
    >
      <CodeText>{command}</CodeText>
    </Card>
  );
}
