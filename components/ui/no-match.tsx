import { SearchX } from "lucide-react";
import { ButtonLink } from "./button-link.tsx";
import { EmptyState } from "./empty-state.tsx";
import { clearLabelOf } from "./list-params.ts";

export interface NoMatchProps {
  /** What the list is searched and filtered by. */
  readonly view: object;
  /** The list without that. */
  readonly clearHref: string;
  readonly title: string;
  /** Why nothing matches. */
  readonly none: string;
}

/** Why nothing matches in a list that is searched and filtered. @param q what is searched for */
export function noneOf(q: string | null, searchAdvice: string): string {
  return q === null ? "Remove a filter to see more." : searchAdvice;
}

/** A list that its search or filters leave empty. */
export function NoMatch({ view, clearHref, title, none }: NoMatchProps) {
  return (
    <EmptyState
      action={
        <ButtonLink href={clearHref} scroll={false}>
          {clearLabelOf(view)}
        </ButtonLink>
      }
      description={none}
      icon={<SearchX />}
      title={title}
    />
  );
}
