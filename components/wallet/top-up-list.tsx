import { Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { atEnd } from "#components/ui/column.ts";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { onward } from "#components/ui/list-params.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { Page } from "#lib/services/page.ts";
import type { TopUpRequestRow } from "#lib/services/wallet/list-top-up-requests.ts";
import { TopUpAmount } from "./top-up-amount.tsx";
import { topUpListHref } from "./top-up-params.ts";
import { paymentMethodNames, type TopUpState, topUpStateNames, topUpStates } from "./top-up-request.ts";
import { TopUpStateBadge } from "./top-up-state-badge.tsx";

export interface TopUpListProps extends Pick<TopUpTableProps, "renderAction"> {
  /** Of the list. */
  readonly path: string;
  /** Null: of any state. */
  readonly state: TopUpState | null;
  readonly page: Page<TopUpRequestRow, number>;
  /** Where the page begins; null: the first one. */
  readonly before: number | null;
  readonly empty: { readonly title: string; readonly description: string };
  /** The requests are of one state, which is not the one that the list begins with. */
  readonly filtered: boolean;
}

/** Requests by state, newest first. */
export function TopUpList({ path, state, page, before, empty, filtered, renderAction }: TopUpListProps) {
  const hrefOf = (chosen: TopUpState | null, place: number | null = null) =>
    topUpListHref(path, { state: chosen ?? "any", before: place });
  const states = topUpStates.map((value) => ({ value, label: topUpStateNames[value] }));
  return (
    <>
      <div className="mb-3">
        <FilterChips chips={chipsOf(states, state, (chosen) => hrefOf(chosen))} label="Filter by state" />
      </div>
      <ListCard
        empty={{ icon: <Inbox />, ...empty }}
        filter={{
          view: { state: filtered ? state : null },
          clearHref: hrefOf(null),
          title: "No request matches",
          none: "No request is in this state.",
        }}
        page={page}
        pages={onward((place) => hrefOf(state, place), before, page.next)}
      >
        <TopUpTable renderAction={renderAction} rows={page.rows} states={state === null} />
      </ListCard>
    </>
  );
}

interface TopUpTableProps {
  readonly rows: readonly TopUpRequestRow[];
  /** They are of several states. */
  readonly states: boolean;
  /** What can be done with a request, where something can; without it there is no such column. */
  readonly renderAction?: ((row: TopUpRequestRow) => ReactNode) | undefined;
}

function TopUpTable({ rows, states, renderAction }: TopUpTableProps) {
  const hasNotes = rows.some(({ note, decisionNote }) => note !== "" || decisionNote !== "");
  return (
    <Table
      columns={[
        renderAction && "Reseller",
        "Reference",
        "Paid by",
        "Requested",
        hasNotes && "Notes",
        states && "Status",
        atEnd("Amount"),
        renderAction && { name: "Decide", hidden: true },
      ]}
      label="Top-up requests"
    >
      {rows.map((row) => (
        <Row key={row.id}>
          {renderAction && (
            <Cell phone="title">
              <TextLink href={`/resellers/${row.resellerId}/wallet`}>{row.resellerName}</TextLink>
            </Cell>
          )}
          <Cell {...(renderAction ? { label: "Reference" } : { phone: "title" as const })}>
            <span className="wrap-anywhere font-medium">{row.reference}</span>
          </Cell>
          <Cell label="Paid by" muted>
            {paymentMethodNames[row.method]}
          </Cell>
          <Cell label="Requested" muted>
            <Timestamp value={row.createdAt} />
          </Cell>
          {hasNotes && (
            <Cell label="Notes" muted phone={row.note === "" && row.decisionNote === "" ? "hidden" : "line"}>
              <span className="wrap-anywhere">{row.note}</span>
              {row.decisionNote !== "" && <span className="wrap-anywhere block">Answer: {row.decisionNote}</span>}
            </Cell>
          )}
          {states && (
            <Cell label="Status">
              <TopUpStateBadge state={row.state} />
            </Cell>
          )}
          <Cell align="end" phone="corner">
            <TopUpAmount {...row} />
          </Cell>
          {renderAction && (
            <Cell align="end" phone="actions">
              {renderAction(row)}
            </Cell>
          )}
        </Row>
      ))}
    </Table>
  );
}
