import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { MailFrame } from "./mail-frame.tsx";

export interface MailBodyProps {
  readonly text: string;
  readonly html: string;
}

/** A message as it is read. */
export function MailBody({ text, html }: MailBodyProps) {
  return (
    <Card title="Message">
      <MailFrame html={html} />
      <Disclosure className="mt-3" summary="Show as text">
        <pre className="wrap-anywhere mt-2 whitespace-pre-wrap font-mono text-sm">{text}</pre>
      </Disclosure>
    </Card>
  );
}
