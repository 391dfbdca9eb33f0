import { Money } from "#components/ui/money.tsx";
import { Cell, HeaderCell, Row, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { type OperationSubject, SubjectLines } from "./operation-subject.tsx";

/** Money: minor units of the wallet's currency, as decimal text. */
export interface StatementLine {
  readonly id: string;
  /** In words, UTC: in the reader's zone an entry could seem to be of another day than the statement's. */
  readonly at: string;
  /** E.g. "Renewal" or "Top-up". */
  readonly what: string;
  readonly subject: OperationSubject | null;
  /** Reference and note, where there are any. */
  readonly detail: string;
  readonly amount: string;
  readonly balance: string;
}

/** What a statement ends with; of a period that has not ended, the balance so far. */
export interface ClosingBalance {
  readonly label: string;
  /** E.g. "After Jan 31, 2027". */
  readonly detail: string;
  /** In words, UTC. */
  readonly day: string;
  /** Minor units, as decimal text. */
  readonly minor: string;
}

export interface StatementTableProps {
  readonly lines: readonly StatementLine[];
  readonly statement: {
    readonly currency: string;
    readonly firstDay: string;
    readonly openingBalance: string;
    readonly closing: ClosingBalance;
  };
}

/** From the opening to the closing balance, every entry in the order in which they were posted. */
export function StatementTable({ lines, statement }: StatementTableProps) {
  const { currency, firstDay, openingBalance, closing } = statement;
  return (
    <Table label="Entries">
      <TableHead>
        <HeaderCell>Time (UTC)</HeaderCell>
        <HeaderCell>What</HeaderCell>
        <HeaderCell>Details</HeaderCell>
        <HeaderCell align="end">Amount</HeaderCell>
        <HeaderCell align="end">Balance</HeaderCell>
      </TableHead>
      <TableBody>
        <BalanceRow at={firstDay} currency={currency} label="Opening balance" minor={openingBalance} />
        {lines.map((line) => (
          <Row key={line.id}>
            <Cell label="Time (UTC)" muted>
              <span className="tabular whitespace-nowrap">{line.at}</span>
            </Cell>
            <Cell phone="title">
              <SubjectLines subject={line.subject} what={line.what} />
            </Cell>
            <Cell label="Details" muted phone={line.detail === "" ? "hidden" : "line"}>
              <span className="wrap-anywhere">{line.detail}</span>
            </Cell>
            <Cell align="end" phone="corner">
              <Money className="font-medium" currency={currency} minor={line.amount} signed />
            </Cell>
            <Cell align="end" label="Balance">
              <Money currency={currency} minor={line.balance} />
            </Cell>
          </Row>
        ))}
        <BalanceRow at={closing.day} currency={currency} label={closing.label} minor={closing.minor} />
      </TableBody>
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
  readonly minor: string;
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
