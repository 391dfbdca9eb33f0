import { ReceiptText } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { atEnd } from "#components/ui/column.ts";
import { cx } from "#components/ui/cx.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Money } from "#components/ui/money.tsx";
import { NoMatch, type NoMatchProps } from "#components/ui/no-match.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { LedgerListRow } from "#lib/services/wallet/list-entries.ts";
import { entryDetail, entryName } from "./ledger-entry.ts";
import { SubjectLines } from "./operation-subject.tsx";

interface LedgerProps extends LedgerTableProps {
  readonly previousHref: string | null;
  readonly nextHref: string | null;
  readonly pageSize: number;
  /** On all pages; null if it is not counted. */
  readonly total: number | null;
  /** What an empty wallet waits for. */
  readonly emptyHint: string;
  /** What fills it. */
  readonly emptyAction?: ReactNode;
  /** Where the newest entries are, for a page beyond the end; null when this is it. */
  readonly newestHref: string | null;
  /** The filter that is set. */
  readonly filter: NoMatchProps | false;
  readonly filters?: ReactNode;
}

export function Ledger(props: LedgerProps) {
  const { lines, currency, linked, previousHref, nextHref, pageSize, total, filters, renderAction } = props;
  const { newestHref, filter } = props;
  return (
    <Card flush title="Ledger">
      {(lines.length > 0 || newestHref !== null || filter) && filters}
      <div className="border-t">
        {lines.length > 0 ? (
          <LedgerTable currency={currency} lines={lines} linked={linked} renderAction={renderAction} />
        ) : (
          <NoEntries {...props} />
        )}
      </div>
      <Pagination
        count={lines.length}
        nextHref={nextHref}
        pageSize={pageSize}
        previousHref={previousHref}
        total={total}
      />
    </Card>
  );
}

function NoEntries({ emptyHint, emptyAction, newestHref, filter }: LedgerProps) {
  const icon = <ReceiptText />;
  if (newestHref !== null) {
    return (
      <EmptyState
        action={<ButtonLink href={newestHref}>Show the newest</ButtonLink>}
        icon={icon}
        title="There is nothing on this page"
      />
    );
  }
  if (filter) return <NoMatch {...filter} />;
  return <EmptyState action={emptyAction} description={emptyHint} icon={icon} title="No entries yet" />;
}

interface LedgerTableProps {
  readonly lines: readonly LedgerListRow[];
  readonly currency: string;
  /** The reader has pages of the licenses. */
  readonly linked: boolean;
  /** What can be done with a line, where something can; without it there is no such column. */
  readonly renderAction?: ((line: LedgerListRow) => ReactNode) | undefined;
}

/** Every movement of the wallet, newest first. */
function LedgerTable({ lines, currency, linked, renderAction }: LedgerTableProps) {
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
