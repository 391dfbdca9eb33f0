import { Inbox } from "lucide-react";
import { countedText } from "#components/ui/counted-text.ts";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { ListCard, type ListCardProps } from "#components/ui/list-card.tsx";
import { type TopUpState, topUpStates } from "./top-up-request.ts";
import { TopUpTable, type TopUpTableProps } from "./top-up-table.tsx";

export interface TopUpListProps extends Omit<TopUpTableProps, "states"> {
  readonly state: TopUpState | null;
  /** Where the requests of a state are; null: of any. */
  readonly hrefOf: (state: TopUpState | null) => string;
  readonly pages: ListCardProps["pages"];
  readonly total: number | null;
  readonly empty: { readonly title: string; readonly description: string };
}

const stateNames = {
  requested: "Waiting",
  approved: "Credited",
  declined: "Declined",
} as const satisfies Record<TopUpState, string>;

/** Requests by state, newest first. */
export function TopUpList({ rows, state, hrefOf, pages, total, empty, renderAction }: TopUpListProps) {
  return (
    <>
      <div className="mb-3">
        <FilterChips
          chips={topUpStates.map((value) => ({
            label: stateNames[value],
            href: hrefOf(value === state ? null : value),
            active: value === state,
          }))}
          label="Filter by state"
        />
      </div>
      <ListCard
        count={rows.length}
        empty={{ icon: <Inbox aria-hidden />, ...empty }}
        pages={pages}
        total={countedText(total)}
      >
        <TopUpTable renderAction={renderAction} rows={rows} states={state === null} />
      </ListCard>
    </>
  );
}
