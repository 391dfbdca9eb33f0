import type { ReactNode } from "react";
import { Card } from "#components/ui/card.tsx";
import { CodeText } from "#components/ui/code-text.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";

export interface CommandCardProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly command: string;
  readonly copyLabel: string;
  /** It is needed no more than now and then, so it is shown on demand. */
  readonly folded?: boolean;
}

/** A command to be run on a server. */
export function CommandCard({ title, description, command, copyLabel, folded = false }: CommandCardProps) {
  return (
    <Card actions={<CopyButton label={copyLabel} value={command} />} description={description} title={title}>
      {folded ? (
        <Disclosure summary="Show the command">
          <div className="mt-2">
            <CodeText>{command}</CodeText>
          </div>
        </Disclosure>
      ) : (
        <CodeText>{command}</CodeText>
      )}
    </Card>
  );
}
