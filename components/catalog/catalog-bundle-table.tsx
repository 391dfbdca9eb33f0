import { atEnd } from "#components/ui/column.ts";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import type { CatalogState } from "#lib/domain/catalog.ts";
import { numberText } from "#lib/domain/count-text.ts";
import { bundleHref } from "./catalog.ts";
import { FromPriceText, type FromPriceTextProps } from "./from-price-text.tsx";
import { CatalogStateBadge } from "./state-badge.tsx";

interface BundleListRow {
  readonly id: number;
  readonly name: string;
  readonly members: readonly string[];
  readonly state: CatalogState;
  readonly cycleCount: number;
  readonly priceFrom: FromPriceTextProps["prices"];
  readonly liveInstances: number;
}

export function CatalogBundleTable({ rows }: { readonly rows: readonly BundleListRow[] }) {
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
