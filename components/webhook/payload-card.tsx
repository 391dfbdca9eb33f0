import { Card } from "#components/ui/card.tsx";
import { CodeText } from "#components/ui/code-text.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

/** What is sent, made readable; copied as it is sent. */
export function PayloadCard({ body }: { readonly body: string }) {
  return (
    <Card
      actions={<CopyButton label="Copy payload" value={body} />}
      description="Shown with line breaks, copied as it is sent."
      title="Payload"
    >
      <CodeText className="max-h-96">{JSON.stringify(JSON.parse(body), null, 2)}</CodeText>
    </Card>
  );
}
