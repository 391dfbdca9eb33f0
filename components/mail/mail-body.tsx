import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";

export interface MailBodyProps {
  readonly text: string;
  readonly html: string;
}

/** A message as it is read. The frame runs nothing and reaches nothing. */
export function MailBody({ text, html }: MailBodyProps) {
  return (
    <Card title="Message">
      <iframe
        className="h-144 w-full max-md:h-160 rounded-md border bg-white"
        sandbox=""
        srcDoc={html}
        title="Message"
      />
      <Disclosure className="mt-3" summary="Show as text">
        <pre className="wrap-anywhere mt-2 whitespace-pre-wrap font-mono text-sm">{text}</pre>
      </Disclosure>
    </Card>
  );
}
