import { PricesText } from "#components/catalog/prices-text.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Cell, HeaderCell, Row, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import type { ImportedCycleView, ImportedProductView } from "./import.ts";

export interface ImportTableProps {
  readonly label: string;
  readonly products: readonly ImportedProductView[];
}

/** Each cycle of each product: what it costs us, what it is sold for now, and then. */
export function ImportTable({ label, products }: ImportTableProps) {
  return (
    <Table label={label}>
      <TableHead>
        <HeaderCell>Product</HeaderCell>
        <HeaderCell>Cycle</HeaderCell>
        <HeaderCell align="end">Costs us</HeaderCell>
        <HeaderCell align="end">List price now</HeaderCell>
        <HeaderCell align="end">New list price</HeaderCell>
        <HeaderCell align="end">Markup</HeaderCell>
      </TableHead>
      <TableBody>
        {products.flatMap((product) =>
          product.cycles.map((cycle) => (
            <Row key={`${product.sku} ${cycle.months}`}>
              <Cell phone="title">
                <span className="block min-w-0 py-0.5">
                  {product.name}
                  <span className="wrap-anywhere block font-mono text-text-muted text-xs">{product.type}</span>
                </span>
              </Cell>
              <Cell label="Cycle">
                <span className="inline-flex flex-wrap items-center gap-1.5">
                  {cycle.name}
                  <CycleMark cycle={cycle} />
                </span>
              </Cell>
              <Cell align="end" label="Costs us" muted>
                <PricesText currency={cycle.currency} prices={cycle.cost} />
              </Cell>
              <Cell align="end" label="List price now" muted>
                <PricesText currency={cycle.currency} prices={cycle.before} />
              </Cell>
              <Cell align="end" label="New list price">
                <PricesText currency={cycle.currency} prices={cycle.after} />
              </Cell>
              <Cell align="end" label="Markup" muted>
                <span className="tabular">{cycle.markup ?? "Free"}</span>
              </Cell>
            </Row>
          )),
        )}
      </TableBody>
    </Table>
  );
}

function CycleMark({ cycle: { status, belowCost } }: { readonly cycle: ImportedCycleView }) {
  return (
    <>
      {status === "unchanged" && <Badge>Unchanged</Badge>}
      {belowCost === "allowed" && <Badge tone="critical">Below cost</Badge>}
      {belowCost === "raised_to_cost" && <Badge tone="caution">Raised to cost</Badge>}
    </>
  );
}
