import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";

export interface MailBodyProps {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A message as it is read. The frame runs nothing and reaches nothing. */
export function MailBody({ subject, text, html }: MailBodyProps) {
  return (
    <Card title={subject}>
      <iframe className="h-112 w-full rounded-md border bg-white" sandbox="" srcDoc={html} title="Message" />
      <Disclosure className="mt-3" summary="Show as text">
        <pre className="wrap-anywhere mt-2 whitespace-pre-wrap font-mono text-sm">{text}</pre>
      </Disclosure>
    </Card>
  );
}
