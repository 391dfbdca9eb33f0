import { ReceiptText } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NoMatch, type NoMatchProps } from "#components/ui/no-match.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { LedgerTable, type LedgerTableProps } from "./ledger-table.tsx";

export interface LedgerProps extends LedgerTableProps {
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
        order="newest first"
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
