import { ReceiptText } from "lucide-react";
import type { ReactNode } from "react";
import { Logo } from "#components/shell/logo.tsx";
import { Card } from "#components/ui/card.tsx";
import { atEnd } from "#components/ui/column.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { formatDay, formatTime } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { countText, numberText } from "#lib/domain/count-text.ts";
import type { FullStatement } from "#lib/services/wallet/statement.ts";
import { ledgerKindNames, ledgerKinds } from "./ledger-kinds.ts";
import { describeClosing, StatementTable, type StatementTableProps } from "./statement-table.tsx";

export interface StatementSheetProps extends Pick<StatementTableProps, "days" | "now" | "linked"> {
  readonly statement: FullStatement;
  /** Leads to all entries where there are too many to show. */
  readonly download: ReactNode;
}

/** A statement as it is printed: who, which days, what it comes to, and every entry. */
export function StatementSheet({ statement, days, now, linked, download }: StatementSheetProps) {
  const { entries, entryCount } = statement;
  const [firstDay, lastDay] = [formatDay(days.from), formatDay(days.to)];
  return (
    <article aria-label="Statement" className="flex flex-col gap-5 print:block">
      <Card className="print:mb-6 print:rounded-none print:border-0">
        <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
          {statement.issuer === "" ? (
            <Logo />
          ) : (
            <p className="whitespace-pre-line wrap-anywhere max-w-xs text-sm first-line:font-semibold">
              {statement.issuer}
            </p>
          )}
          <Letterhead days={days} now={now} statement={statement} />
        </div>
      </Card>
      <Card className="print:mb-6 print:rounded-none print:border-0" flush title="Summary">
        <div className="border-t print:border-t-0">
          <Totals days={days} now={now} statement={statement} />
        </div>
      </Card>
      <Card className="print:rounded-none print:border-0" flush title="Entries">
        <div className="border-t print:border-t-0">
          {entries === null && (
            <EmptyState
              action={download}
              description="The summary counts all of them, and the CSV has each one. Choose fewer days to see or print them."
              icon={<ReceiptText />}
              title={`${numberText(entryCount)} entries are too many for a page`}
            />
          )}
          {entries?.length === 0 && (
            <EmptyState
              description={`Nothing was posted from ${firstDay} to ${lastDay}.`}
              icon={<ReceiptText />}
              title="No entries in this period"
            />
          )}
          {entries !== null && entries.length > 0 && (
            <StatementTable days={days} entries={entries} linked={linked} now={now} statement={statement} />
          )}
        </div>
      </Card>
    </article>
  );
}

type SectionProps = Pick<StatementSheetProps, "statement" | "days" | "now">;

function Letterhead({ statement: { resellerName, currency }, days, now }: SectionProps) {
  const [firstDay, lastDay] = [formatDay(days.from), formatDay(days.to)];
  const facts = [
    { term: "Account", value: resellerName },
    { term: "Period (UTC)", value: firstDay === lastDay ? firstDay : `${firstDay} – ${lastDay}` },
    { term: "Currency", value: currency },
    { term: "As of", value: `${formatTime(now, "datetime", "UTC")} UTC` },
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

function Totals({ statement, days, now }: SectionProps) {
  const { currency, openingBalance, closingBalance, totals } = statement;
  const closing = describeClosing(statement, days, now);
  const rows = [
    { label: "Opening balance", detail: `Before ${formatDay(days.from)}`, amount: openingBalance, balance: true },
    ...ledgerKinds
      .flatMap((kind) => totals.filter((total) => total.kind === kind))
      .map(({ kind, count, amount }) => ({
        label: `${ledgerKindNames[kind]}s`,
        detail: countText(count, "entry", "entries"),
        amount,
        balance: false,
      })),
    { label: closing.label, detail: closing.detail, amount: closingBalance, balance: true },
  ];
  return (
    <Table columns={["Type", "Details", atEnd("Amount")]} label="Summary">
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
    </Table>
  );
}
