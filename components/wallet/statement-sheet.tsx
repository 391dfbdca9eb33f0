import { ReceiptText } from "lucide-react";
import type { ReactNode } from "react";
import { Logo } from "#components/shell/logo.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Money } from "#components/ui/money.tsx";
import { Cell, HeaderCell, Row, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { type ClosingBalance, type StatementLine, StatementTable } from "./statement-table.tsx";

/** Money: minor units of `currency`, as decimal text. Times are words, in UTC. */
export interface StatementView {
  readonly account: string;
  readonly currency: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly asOf: string;
  readonly openingBalance: string;
  readonly closing: ClosingBalance;
  /** `label`: e.g. "Charges". */
  readonly totals: readonly { readonly label: string; readonly count: number; readonly amount: string }[];
  readonly entryCount: number;
  /** Null: there are too many to show. */
  readonly lines: readonly StatementLine[] | null;
}

export interface StatementSheetProps {
  readonly statement: StatementView;
  /** What leads to all entries where there are too many to show. */
  readonly download: ReactNode;
}

/** A statement as it is printed: who, which days, what it comes to, and every entry. */
export function StatementSheet({ statement, download }: StatementSheetProps) {
  const { firstDay, lastDay, lines, entryCount } = statement;
  return (
    <article aria-label="Statement" className="flex flex-col gap-5 print:block">
      <Card className="print:mb-6 print:rounded-none print:border-0">
        <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
          <Logo />
          <Letterhead statement={statement} />
        </div>
      </Card>
      <Card className="print:mb-6 print:rounded-none print:border-0" flush title="Summary">
        <Totals statement={statement} />
      </Card>
      <Card className="print:rounded-none print:border-0" flush title="Entries">
        {lines === null && (
          <EmptyState
            action={download}
            description="The summary counts all of them, and the CSV has each one. Choose fewer days to see or print them."
            icon={<ReceiptText aria-hidden />}
            title={`${entryCount.toLocaleString("en-US")} entries are too many for a page`}
          />
        )}
        {lines?.length === 0 && (
          <EmptyState
            description={`Nothing was posted from ${firstDay} to ${lastDay}.`}
            icon={<ReceiptText aria-hidden />}
            title="No entries in this period"
          />
        )}
        {lines !== null && lines.length > 0 && <StatementTable lines={lines} statement={statement} />}
      </Card>
    </article>
  );
}

function Letterhead({ statement }: { readonly statement: StatementView }) {
  const { account, currency, firstDay, lastDay, asOf } = statement;
  const facts = [
    { term: "Account", value: account },
    { term: "Period", value: firstDay === lastDay ? firstDay : `${firstDay} – ${lastDay}` },
    { term: "Currency", value: currency },
    { term: "As of", value: `${asOf} UTC` },
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {facts.map(({ term, value }) => (
        <div className="contents" key={term}>
          <dt className="text-text-muted">{term}</dt>
          <dd className="wrap-anywhere font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Totals({ statement }: { readonly statement: StatementView }) {
  const { currency, openingBalance, closing, totals, firstDay } = statement;
  const rows = [
    { label: "Opening balance", detail: `Before ${firstDay}`, amount: openingBalance, balance: true },
    ...totals.map(({ label, count, amount }) => ({
      label,
      detail: count === 1 ? "1 entry" : `${count.toLocaleString("en-US")} entries`,
      amount,
      balance: false,
    })),
    { label: closing.label, detail: closing.detail, amount: closing.minor, balance: true },
  ];
  return (
    <Table label="Summary">
      <TableHead>
        <HeaderCell>What</HeaderCell>
        <HeaderCell>Entries</HeaderCell>
        <HeaderCell align="end">Amount</HeaderCell>
      </TableHead>
      <TableBody>
        {rows.map(({ label, detail, amount, balance }) => (
          <Row key={label}>
            <Cell phone="title">
              <span className={balance ? "font-semibold" : "font-medium"}>{label}</span>
            </Cell>
            <Cell muted>{detail}</Cell>
            <Cell align="end" phone="corner">
              <Money
                className={balance ? "font-semibold" : undefined}
                currency={currency}
                minor={amount}
                signed={!balance}
              />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
