import { markupText } from "#components/catalog/describe-cycle.ts";
import { PricesText } from "#components/catalog/prices-text.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { atEnd } from "#components/ui/column.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import type { ImportedCycle, ImportedProduct } from "./import.ts";

export interface ImportTableProps {
  readonly label: string;
  readonly products: readonly ImportedProduct[];
}

/** Each cycle of each product: what it costs us, what it is sold for now, and then. */
export function ImportTable({ label, products }: ImportTableProps) {
  return (
    <Table
      columns={[
        "Product",
        "Cycle",
        atEnd("Costs us"),
        atEnd("List price now"),
        atEnd("New list price"),
        atEnd("Markup"),
      ]}
      label={label}
    >
      {products.flatMap(({ change, cycles }) =>
        cycles.map(({ cycle, status, currency, cost, before, belowCost }) => (
          <Row key={`${change.providerSku} ${cycle.months}`}>
            <Cell phone="title">
              <span className="block min-w-0 py-0.5">
                {change.name}
                <span className="wrap-anywhere block font-mono text-text-muted text-xs">{change.slug}</span>
              </span>
            </Cell>
            <Cell label="Cycle">
              <span className="inline-flex flex-wrap items-center gap-1.5">
                {cycle.name}
                <CycleMark belowCost={belowCost} status={status} />
              </span>
            </Cell>
            <Cell align="end" label="Costs us" muted>
              <span className="text-right">
                <PricesText currency={currency} prices={cost} />
              </span>
            </Cell>
            <Cell align="end" label="List price now" muted>
              <span className="text-right">
                <PricesText currency={currency} prices={before} />
              </span>
            </Cell>
            <Cell align="end" label="New list price">
              <span className="text-right">
                <PricesText currency={currency} prices={cycle.price} />
              </span>
            </Cell>
            <Cell align="end" label="Markup" muted>
              <span className="tabular">{markupText(cycle.price.price, cost.price) ?? "Free"}</span>
            </Cell>
          </Row>
        )),
      )}
    </Table>
  );
}

function CycleMark({ status, belowCost }: Pick<ImportedCycle, "status" | "belowCost">) {
  return (
    <>
      {status === "unchanged" && <Badge>Unchanged</Badge>}
      {belowCost === "allowed" && <Badge tone="critical">Below cost</Badge>}
      {belowCost === "raised_to_cost" && <Badge tone="caution">Raised to cost</Badge>}
    </>
  );
}
