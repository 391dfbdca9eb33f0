import { atEnd } from "#components/ui/column.ts";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { CatalogProductRow } from "#lib/services/catalog/list-catalog.ts";
import { productHref } from "./catalog.ts";
import { FromPriceText } from "./from-price-text.tsx";
import { CatalogStateBadge } from "./state-badge.tsx";

export function ProductTable({ rows }: { readonly rows: readonly CatalogProductRow[] }) {
  return (
    <Table
      columns={["Product", "Status", "Provider", atEnd("Cycles"), atEnd("Live licenses"), atEnd("Price from")]}
      label="Products"
    >
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell phone="title">
            <span className="block min-w-0 py-0.5">
              <RowLink href={productHref(row.id)}>{row.name}</RowLink>
              <span className="wrap-anywhere block font-mono text-text-muted text-xs">
                {row.slug}
                {row.coreMetered && <span className="font-sans"> · metered by cores</span>}
              </span>
            </span>
          </Cell>
          <Cell phone="corner">
            <CatalogStateBadge state={row.state} />
          </Cell>
          <Cell label="Provider" muted>
            <span className="wrap-anywhere">
              {row.provider} <span className="font-mono text-xs">{row.providerSku}</span>
            </span>
          </Cell>
          <Cell align="end" label="Cycles" muted>
            {row.cycleCount}
          </Cell>
          <Cell align="end" label="Live licenses">
            {numberText(row.liveLicenses)}
          </Cell>
          <Cell align="end" label="Price from">
            <FromPriceText prices={row.priceFrom} state={row.state} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
