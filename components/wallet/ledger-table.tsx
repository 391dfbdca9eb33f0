import type { ReactNode } from "react";
import { cx } from "#components/ui/cx.ts";
import { Money } from "#components/ui/money.tsx";
import { Cell, HeaderCell, Row, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { type OperationSubject, SubjectLines } from "./operation-subject.tsx";

/** Money: minor units of the wallet's currency, as decimal text. */
export interface LedgerLine {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** E.g. "Renewal" or "Top-up". */
  readonly what: string;
  readonly subject: OperationSubject | null;
  /** Null for what belongs to none. */
  readonly operationId: string | null;
  /** What is left of a charge that can be given back; "0" for anything else. */
  readonly refundable: string;
  /** Reference and note, where there are any. */
  readonly detail: string;
  readonly amount: string;
  readonly balanceAfter: string;
}

export interface LedgerTableProps {
  readonly lines: readonly LedgerLine[];
  readonly currency: string;
  /** What can be done with a line, where something can; without it there is no such column. */
  readonly renderAction?: ((line: LedgerLine) => ReactNode) | undefined;
}

/** Every movement of the wallet, newest first. */
export function LedgerTable({ lines, currency, renderAction }: LedgerTableProps) {
  return (
    <Table label="Ledger">
      <TableHead>
        <HeaderCell>Date</HeaderCell>
        <HeaderCell>What</HeaderCell>
        <HeaderCell align="end">Amount</HeaderCell>
        <HeaderCell align="end">Balance after</HeaderCell>
        {renderAction && <HeaderCell hidden>Actions</HeaderCell>}
      </TableHead>
      <TableBody>
        {lines.map((line) => (
          <Row key={line.id}>
            <Cell label="Date" muted>
              <Timestamp value={line.at} />
            </Cell>
            <Cell phone="title">
              <SubjectLines detail={line.detail} subject={line.subject} what={line.what} />
            </Cell>
            <Cell align="end" phone="corner">
              <Money
                className={cx("font-medium", !line.amount.startsWith("-") && "text-positive")}
                currency={currency}
                minor={line.amount}
                signed
              />
            </Cell>
            <Cell align="end" label="Balance after">
              <Money currency={currency} minor={line.balanceAfter} />
            </Cell>
            {renderAction && (
              <Cell align="end" phone="actions">
                {renderAction(line)}
              </Cell>
            )}
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
