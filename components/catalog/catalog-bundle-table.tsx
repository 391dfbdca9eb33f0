import { atEnd } from "#components/ui/column.ts";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { CatalogBundleRow } from "#lib/services/catalog/list-catalog.ts";
import { bundleHref } from "./catalog.ts";
import { FromPriceText } from "./from-price-text.tsx";
import { CatalogStateBadge } from "./state-badge.tsx";

export function CatalogBundleTable({ rows }: { readonly rows: readonly CatalogBundleRow[] }) {
  return (
    <Table columns={["Bundle", "Status", atEnd("Cycles"), atEnd("Live bundles"), atEnd("Price from")]} label="Bundles">
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell phone="title">
            <span className="block min-w-0 py-0.5">
              <RowLink href={bundleHref(row.id)}>{row.name}</RowLink>
              <span className="block text-text-muted text-xs">{row.members.join(", ")}</span>
            </span>
          </Cell>
          <Cell phone="corner">
            <CatalogStateBadge state={row.state} />
          </Cell>
          <Cell align="end" label="Cycles" muted>
            {row.cycleCount}
          </Cell>
          <Cell align="end" label="Live bundles">
            {numberText(row.liveInstances)}
          </Cell>
          <Cell align="end" label="Price from">
            <FromPriceText prices={row.priceFrom} state={row.state} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
