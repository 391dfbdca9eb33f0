import { PrefetchOnIntent } from "#components/ui/prefetch-on-intent.tsx";
import { Cell, HeaderCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import type { ProductListRow } from "./catalog.ts";
import { FromPriceText } from "./from-price-text.tsx";
import { CatalogStateBadge } from "./state-badge.tsx";

export function ProductTable({ rows }: { readonly rows: readonly ProductListRow[] }) {
  return (
    <PrefetchOnIntent>
      <Table label="Products">
        <TableHead>
          <HeaderCell>Product</HeaderCell>
          <HeaderCell>Status</HeaderCell>
          <HeaderCell>Provider</HeaderCell>
          <HeaderCell align="end">Cycles</HeaderCell>
          <HeaderCell align="end">Live licenses</HeaderCell>
          <HeaderCell align="end">Price from</HeaderCell>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell phone="title">
                <span className="block min-w-0 py-0.5">
                  <RowLink href={row.href}>{row.name}</RowLink>
                  <span className="wrap-anywhere block font-mono text-text-muted text-xs">
                    {row.type}
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
                <span className="tabular">{row.cycleCount}</span>
              </Cell>
              <Cell align="end" label="Live licenses">
                <span className="tabular">{row.liveLicenses.toLocaleString("en-US")}</span>
              </Cell>
              <Cell align="end" label="Price from">
                <FromPriceText from={row.priceFrom} state={row.state} />
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </PrefetchOnIntent>
  );
}
