import { KeySquare } from "lucide-react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

export interface KeyListEmptyProps {
  readonly listHref: string;
  /** By state. */
  readonly filtered: boolean;
}

export function KeyListEmpty({ listHref, filtered }: KeyListEmptyProps) {
  if (filtered) {
    return (
      <EmptyState
        action={<ButtonLink href={listHref}>All keys</ButtonLink>}
        description="No key is in this state."
        icon={<KeySquare aria-hidden />}
        title="No keys here"
      />
    );
  }
  return (
    <EmptyState
      action={
        <ButtonLink href={`${listHref}/new`} variant="primary">
          Create the first key
        </ButtonLink>
      }
      description="A key lets a program do what you do here: your shop registers and renews licenses, a customer's server verifies its own. One for each program, so that each can be ended alone."
      icon={<KeySquare aria-hidden />}
      title="No API keys yet"
    />
  );
}
