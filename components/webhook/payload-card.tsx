import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

/** What is sent, made readable; copied as it is sent. */
export function PayloadCard({ body }: { readonly body: string }) {
  return (
    <Card
      actions={<CopyButton label="Copy payload" value={body} />}
      description="Shown with line breaks, copied as it is sent."
      title="Payload"
    >
      <pre
        className="max-h-96 overflow-auto rounded-md bg-surface-sunken p-3 font-mono text-xs leading-5"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {JSON.stringify(JSON.parse(body), null, 2)}
      </pre>
    </Card>
  );
}
