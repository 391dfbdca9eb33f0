import type { ReactNode } from "react";
import { Card } from "#components/ui/card.tsx";
import { CodeText } from "#components/ui/code-text.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

export interface CommandCardProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly command: string;
  readonly copyLabel: string;
}

/** A command to be run on a server. */
export function CommandCard({ title, description, command, copyLabel }: CommandCardProps) {
  return (
    <Card actions={<CopyButton label={copyLabel} value={command} />} description={description} title={title}>
      <CodeText>{command}</CodeText>
    </Card>
  );
}
