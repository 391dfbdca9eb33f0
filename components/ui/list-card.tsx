import type { ReactNode } from "react";
import { ButtonLink } from "./button-link.tsx";
import { Card, type CardProps } from "./card.tsx";
import { EmptyState, type EmptyStateProps } from "./empty-state.tsx";
import { isFiltered } from "./list-params.ts";
import { NoMatch, type NoMatchProps } from "./no-match.tsx";
import { type PageLinks, Pagination, type PaginationProps } from "./pagination.tsx";

export interface ListCardProps extends Pick<CardProps, "title" | "description"> {
  /** Filters of this list. */
  readonly head?: ReactNode;
  /** The rows on this page, and how many there are on all. */
  readonly page: { readonly rows: readonly unknown[]; readonly total: PaginationProps["total"] };
  readonly order?: string;
  readonly pages: PageLinks;
  /** Shown while there is nothing to list. */
  readonly empty: EmptyStateProps;
  /** What its search and filters are set to. */
  readonly filter?: NoMatchProps;
  /** The table. */
  readonly children: ReactNode;
}

/** One page of a list; if it is empty, the reason and the way out. */
export function ListCard(props: ListCardProps) {
  const { head, page, order, pages, empty, filter, children, ...frame } = props;
  const count = page.rows.length;
  return (
    <Card flush {...frame}>
      {head}
      {count > 0 ? (
        children
      ) : pages.firstHref ? (
        <EmptyState
          action={<ButtonLink href={pages.firstHref}>Show the first page</ButtonLink>}
          icon={empty.icon}
          title="There is nothing on this page"
        />
      ) : filter && isFiltered(filter.view) ? (
        <NoMatch {...filter} />
      ) : (
        <EmptyState {...empty} />
      )}
      <Pagination {...pages} count={count} order={order} total={page.total} />
    </Card>
  );
}
