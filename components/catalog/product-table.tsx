import { atEnd } from "#components/ui/column.ts";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import type { CatalogState } from "#lib/domain/catalog.ts";
import { numberText } from "#lib/domain/count-text.ts";
import { productHref } from "./catalog.ts";
import { FromPriceText, type FromPriceTextProps } from "./from-price-text.tsx";
import { CatalogStateBadge } from "./state-badge.tsx";

interface ProductListRow {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly provider: string;
  readonly providerSku: string;
  readonly coreMetered: boolean;
  readonly state: CatalogState;
  readonly cycleCount: number;
  readonly priceFrom: FromPriceTextProps["prices"];
  readonly liveLicenses: number;
}

export function ProductTable({ rows }: { readonly rows: readonly ProductListRow[] }) {
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
