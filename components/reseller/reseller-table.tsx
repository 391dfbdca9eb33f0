import { Badge } from "#components/ui/badge.tsx";
import { atEnd, type ColumnSort } from "#components/ui/column.ts";
import { Money } from "#components/ui/money.tsx";
import { Cell, Row, RowControl, RowLink, Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { ResellerRow } from "#lib/services/reseller/search.ts";

export interface ResellerTableProps {
  readonly sorts: Readonly<Record<"name" | "since", ColumnSort>>;
  readonly rows: readonly ResellerRow[];
  /** By reseller. `revenue`: of this month; `more`: there are more licenses. */
  readonly figures: ReadonlyMap<
    number,
    { readonly licenses: number; readonly more: boolean; readonly revenue: bigint }
  >;
}

export function ResellerTable({ rows, figures, sorts }: ResellerTableProps) {
  return (
    <Table
      columns={[
        { name: "Reseller", sort: sorts.name },
        "Status",
        { name: "Since", sort: sorts.since },
        atEnd("Licenses"),
        atEnd("Revenue this month"),
        atEnd("Available balance"),
      ]}
      label="Resellers"
    >
      {rows.map((row) => (
        <Row key={row.resellerId}>
          <Cell phone="title">
            <span className="wrap-anywhere block">
              <RowLink href={`/resellers/${row.resellerId}`}>{row.name}</RowLink>
              <span className="block text-text-muted text-xs">{row.email}</span>
            </span>
          </Cell>
          <Cell phone="corner">
            <Badge tone={row.suspendedAt ? "caution" : "positive"}>{row.suspendedAt ? "Suspended" : "Active"}</Badge>
          </Cell>
          <Cell label="Since" muted>
            <Timestamp format="date" value={row.createdAt} />
          </Cell>
          <Cell align="end" label="Licenses" muted>
            <RowControl>
              <TextLink href={`/resellers/${row.resellerId}/licenses`}>
                {numberText(figures.get(row.resellerId)?.licenses ?? 0)}
                {figures.get(row.resellerId)?.more && "+"}
              </TextLink>
            </RowControl>
          </Cell>
          <Cell align="end" label="Revenue this month" muted>
            <Money currency={row.currency} minor={figures.get(row.resellerId)?.revenue ?? 0n} />
          </Cell>
          <Cell align="end" label="Available balance">
            <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
              {isLow(row) && <Badge tone="caution">Low</Badge>}
              <Money className="font-medium" currency={row.currency} minor={row.posted - row.held} />
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** Below the threshold that the reseller set. */
function isLow({ posted, held, lowBalanceThreshold }: ResellerRow): boolean {
  return lowBalanceThreshold !== null && posted - held < lowBalanceThreshold;
}
