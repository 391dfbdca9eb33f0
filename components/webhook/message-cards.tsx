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

/** What a chat gets. */
export function TextCard({ text }: { readonly text: string }) {
  return (
    <Card actions={<CopyButton label="Copy message" value={text} />} title="Message">
      <p className="wrap-anywhere rounded-md bg-surface-sunken px-3 py-2 text-sm">{text}</p>
    </Card>
  );
}
