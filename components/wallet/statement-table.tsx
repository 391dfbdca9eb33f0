import { atEnd } from "#components/ui/column.ts";
import { formatDay, formatTime } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { toDay } from "#lib/domain/times.ts";
import type { Statement, StatementEntry } from "#lib/services/wallet/statement.ts";
import { entryDetail, entryName } from "./ledger-entry.ts";
import { SubjectLines } from "./operation-subject.tsx";
import type { StatementDays } from "./statement-period.tsx";

/** A period that is not over has a balance so far. */
export function describeClosing({ closed }: Statement, { to }: StatementDays, now: Date) {
  const today = formatDay(toDay(now));
  if (!closed) return { label: "Balance so far", detail: `As of ${today}`, day: today };
  return { label: "Closing balance", detail: `After ${formatDay(to)}`, day: formatDay(to) };
}

export interface StatementTableProps {
  readonly entries: readonly StatementEntry[];
  readonly statement: Statement;
  readonly days: StatementDays;
  readonly now: Date;
  /** The reader has pages of the licenses. */
  readonly linked: boolean;
}

/** From the opening to the closing balance, every entry in the order in which they were posted. */
export function StatementTable({ entries, statement, days, now, linked }: StatementTableProps) {
  const { currency, openingBalance, closingBalance } = statement;
  const closing = describeClosing(statement, days, now);
  return (
    <Table columns={["Time (UTC)", "Type", "Details", atEnd("Amount"), atEnd("Balance")]} label="Entries">
      <BalanceRow at={formatDay(days.from)} currency={currency} label="Opening balance" minor={openingBalance} />
      {entries.map((entry) => (
        <Row key={entry.id}>
          <Cell label="Time (UTC)" muted>
            {/* In the reader's zone an entry could seem to be of another day than the statement's. */}
            <time className="tabular whitespace-nowrap" dateTime={entry.createdAt.toISOString()}>
              {formatTime(entry.createdAt, "datetime", "UTC")}
            </time>
          </Cell>
          <Cell phone="title">
            <SubjectLines linked={linked} of={entry} what={entryName(entry)} />
          </Cell>
          <Cell label="Details" muted phone={entryDetail(entry) === "" ? "hidden" : "line"}>
            <span className="wrap-anywhere">{entryDetail(entry)}</span>
          </Cell>
          <Cell align="end" phone="corner">
            <Money className="font-medium" currency={currency} minor={entry.amount} signed />
          </Cell>
          <Cell align="end" label="Balance">
            <Money currency={currency} minor={entry.balance} />
          </Cell>
        </Row>
      ))}
      <BalanceRow at={closing.day} currency={currency} label={closing.label} minor={closingBalance} />
    </Table>
  );
}

function BalanceRow({
  at,
  label,
  minor,
  currency,
}: {
  readonly at: string;
  readonly label: string;
  readonly minor: bigint;
  readonly currency: string;
}) {
  return (
    <Row>
      <Cell label="Time (UTC)" muted phone="hidden">
        {at}
      </Cell>
      <Cell phone="title">
        <span className="font-semibold">{label}</span>
      </Cell>
      <Cell phone="hidden">{null}</Cell>
      <Cell phone="hidden">{null}</Cell>
      <Cell align="end" phone="corner">
        <Money className="font-semibold" currency={currency} minor={minor} />
      </Cell>
    </Row>
  );
}
