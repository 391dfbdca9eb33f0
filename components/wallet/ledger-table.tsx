import type { ReactNode } from "react";
import { atEnd } from "#components/ui/column.ts";
import { cx } from "#components/ui/cx.ts";
import { Money } from "#components/ui/money.tsx";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { entryDetail, entryName, type LedgerEntry } from "./ledger-entry.ts";
import { SubjectLines } from "./operation-subject.tsx";

export interface LedgerLine extends LedgerEntry {
  /** Null for what belongs to none. */
  readonly operationId: string | null;
  /** What is left of a charge that can be given back; 0 for anything else. */
  readonly refundable: bigint;
  readonly postedAfter: bigint;
}

export interface LedgerTableProps {
  readonly lines: readonly LedgerLine[];
  readonly currency: string;
  /** The reader has pages of the licenses. */
  readonly linked: boolean;
  /** What can be done with a line, where something can; without it there is no such column. */
  readonly renderAction?: ((line: LedgerLine) => ReactNode) | undefined;
}

/** Every movement of the wallet, newest first. */
export function LedgerTable({ lines, currency, linked, renderAction }: LedgerTableProps) {
  return (
    <Table
      columns={[
        "Date",
        "Description",
        atEnd("Amount"),
        atEnd("Balance after"),
        renderAction && { name: "Actions", hidden: true },
      ]}
      label="Ledger"
    >
      {lines.map((line) => (
        <Row key={line.id}>
          <Cell label="Date" muted>
            <Timestamp value={line.createdAt} />
          </Cell>
          <Cell phone="title">
            <SubjectLines detail={entryDetail(line)} linked={linked} of={line} what={entryName(line)} />
          </Cell>
          <Cell align="end" phone="corner">
            <Money
              className={cx("font-medium", line.amount >= 0n && "text-positive")}
              currency={currency}
              minor={line.amount}
              signed
            />
          </Cell>
          <Cell align="end" label="Balance after">
            <Money currency={currency} minor={line.postedAfter} />
          </Cell>
          {renderAction && (
            <Cell align="end" phone="actions">
              {renderAction(line)}
            </Cell>
          )}
        </Row>
      ))}
    </Table>
  );
}
