import { Card } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

/** What a chat gets. */
export function TextCard({ text }: { readonly text: string }) {
  return (
    <Card actions={<CopyButton label="Copy message" value={text} />} title="Message">
      <p className="wrap-anywhere rounded-md bg-surface-sunken px-3 py-2 text-sm">{text}</p>
    </Card>
  );
}
