import { Inbox } from "lucide-react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { type TopUpState, topUpStates } from "./top-up-request.ts";
import { TopUpTable, type TopUpTableProps } from "./top-up-table.tsx";

export interface TopUpListProps extends TopUpTableProps {
  readonly state: TopUpState | null;
  /** Where the requests of a state are; null: of any. */
  readonly hrefOf: (state: TopUpState | null) => string;
  readonly pages: { readonly firstHref: string | null; readonly nextHref: string | null };
  readonly empty: { readonly title: string; readonly description: string };
}

const stateNames = {
  requested: "Waiting",
  approved: "Credited",
  declined: "Declined",
} as const satisfies Record<TopUpState, string>;

/** Requests by state, newest first. */
export function TopUpList({ rows, state, hrefOf, pages, empty, renderAction }: TopUpListProps) {
  return (
    <>
      <div className="mb-3">
        <FilterChips
          chips={topUpStates.map((value) => ({
            label: stateNames[value],
            href: hrefOf(value === state ? null : value),
            active: value === state,
          }))}
          clearHref={hrefOf(null)}
          label="Filter by state"
        />
      </div>
      <Card flush>
        {rows.length > 0 ? (
          <TopUpTable rows={rows} renderAction={renderAction} />
        ) : (
          <EmptyState
            action={pages.firstHref !== null && <ButtonLink href={pages.firstHref}>Show the newest</ButtonLink>}
            icon={<Inbox aria-hidden />}
            {...(pages.firstHref === null ? empty : { title: "There is nothing on this page" })}
          />
        )}
        <Pagination {...pages} summary={`${rows.length} shown, newest first`} />
      </Card>
    </>
  );
}
