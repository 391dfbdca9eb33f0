import { Allowed } from "#components/shell/permissions.tsx";
import { Button } from "#components/ui/button.tsx";
import { Money } from "#components/ui/money.tsx";
import { Cell, HeaderCell, Row, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import type { CycleView, PriceView } from "./catalog.ts";
import { reachText } from "./reach-text.ts";

export interface PriceTableProps {
  readonly cycle: CycleView;
  readonly coreMetered: boolean;
  /** The costs of some of the cycles are known, so each has the column. */
  readonly withMarkup: boolean;
  readonly onChange: (price: PriceView) => void;
}

/** A cycle's list prices, and who renews at each. */
export function PriceTable({ cycle, coreMetered, withMarkup, onChange }: PriceTableProps) {
  if (cycle.prices.length === 0) {
    return (
      <p className="border-t px-4 py-3 text-sm text-text-muted">
        It has no list price: only resellers with a price of their own can buy it.
      </p>
    );
  }
  return (
    // Columns as wide as those of the other cycles, so that prices stand below each other.
    <div className="border-t md:[&_table]:min-w-150 md:[&_table]:table-fixed md:[&_th:first-child]:w-22">
      <Table label={`Prices of ${cycle.name}`}>
        <TableHead>
          <HeaderCell>Currency</HeaderCell>
          <HeaderCell align="end">Price</HeaderCell>
          {coreMetered && <HeaderCell align="end">Per core</HeaderCell>}
          <HeaderCell align="end">Setup fee</HeaderCell>
          {withMarkup && <HeaderCell align="end">Markup</HeaderCell>}
          <HeaderCell align="end">Renewals</HeaderCell>
          <HeaderCell align="end" hidden>
            Actions
          </HeaderCell>
        </TableHead>
        <TableBody>
          {cycle.prices.map((price) => (
            <Row key={price.currency}>
              <Cell phone="title">
                <span className="font-medium">{price.currency}</span>
              </Cell>
              <Cell align="end" label="Price">
                <Money className="font-medium" currency={price.currency} minor={price.price} />
              </Cell>
              {coreMetered && (
                <Cell align="end" label="Per core">
                  {price.pricePerCore !== null && <Money currency={price.currency} minor={price.pricePerCore} />}
                </Cell>
              )}
              <Cell align="end" label="Setup fee" muted>
                {price.setupFee === 0n ? "None" : <Money currency={price.currency} minor={price.setupFee} />}
              </Cell>
              {withMarkup && (
                <Cell align="end" label="Markup" muted>
                  <span className="tabular">{price.markup ?? "Not known"}</span>
                </Cell>
              )}
              <Cell align="end" label="Renewals" muted>
                <span className="tabular">{reachText(price.reach)}</span>
              </Cell>
              <Cell align="end" phone="corner">
                <Allowed to="catalog:write">
                  {" "}
                  <Button
                    aria-label={`Change the price of ${cycle.name} in ${price.currency}`}
                    onClick={() => onChange(price)}
                    size="sm"
                  >
                    Change
                  </Button>
                </Allowed>
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
