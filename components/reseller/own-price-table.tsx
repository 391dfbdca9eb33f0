"use client";
import { useState } from "react";
import { bundleHref, productHref } from "#components/catalog/catalog.ts";
import { markupText } from "#components/catalog/describe-cycle.ts";
import { PricesText } from "#components/catalog/prices-text.tsx";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Cell, HeaderCell, Row, RowControl, RowLink, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { OwnPriceInput, OwnPriceRef, OwnPriceRow } from "./own-price.ts";
import { OwnPriceDialog } from "./own-price-dialog.tsx";

export interface OwnPriceTableProps {
  readonly rows: readonly OwnPriceRow[];
  readonly currency: string;
  readonly resellerName: string;
  readonly set: OnceAction<OwnPriceInput>;
  readonly remove: OnceAction<OwnPriceRef>;
}

/** Every cycle with the list price, the reseller's own and what is earned. */
export function OwnPriceTable({ rows, currency, resellerName, set, remove }: OwnPriceTableProps) {
  const [question, setQuestion] = useState<{ readonly kind: "set" | "remove"; readonly asked: OwnPriceRow } | null>(
    null,
  );
  // As it is by now: somebody else may change it meanwhile.
  const current = question && (rows.find(({ cycleId }) => cycleId === question.asked.cycleId) ?? question.asked);
  const close = () => setQuestion(null);
  return (
    <>
      <Table label="Prices">
        <TableHead>
          <HeaderCell>What</HeaderCell>
          <HeaderCell>Cycle</HeaderCell>
          <HeaderCell align="end">List price</HeaderCell>
          <HeaderCell align="end">Own price</HeaderCell>
          <HeaderCell align="end">Markup</HeaderCell>
          <HeaderCell align="end">Renewals</HeaderCell>
          <HeaderCell align="end" hidden>
            Actions
          </HeaderCell>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <Row key={row.cycleId}>
              <Cell phone="title">
                <RowLink href={row.kind === "bundle" ? bundleHref(row.ownerId) : productHref(row.ownerId)}>
                  {row.ownerName}
                </RowLink>
                {row.retired && (
                  <span className="ml-2">
                    <Badge>Retired</Badge>
                  </span>
                )}
              </Cell>
              <Cell label="Cycle">{row.cycleName}</Cell>
              <Cell align="end" label="List price" muted={row.own !== null}>
                <PricesText currency={currency} prices={row.list} />
              </Cell>
              <Cell align="end" label="Own price">
                {row.own === null ? (
                  <span className="text-text-muted">None</span>
                ) : (
                  <span className="inline-flex flex-wrap items-start justify-end gap-1.5">
                    <span className="tabular text-text-muted">
                      {markupText(row.own.price, row.list?.price ?? null)}
                    </span>
                    <PricesText currency={currency} prices={row.own} strong />
                  </span>
                )}
              </Cell>
              <Cell align="end" label="Markup" muted>
                <Markup row={row} />
              </Cell>
              <Cell align="end" label="Renewals" muted>
                <span className="tabular">{row.live.toLocaleString("en-US")}</span>
              </Cell>
              <Cell align="end" phone="corner">
                <Allowed to="catalog:write">
                  {" "}
                  <RowControl>
                    <span className="inline-flex gap-1.5">
                      {row.own !== null && (
                        <Button
                          aria-label={`Remove the own price of ${row.ownerName}, ${row.cycleName}`}
                          onClick={() => setQuestion({ kind: "remove", asked: row })}
                          size="sm"
                        >
                          Remove
                        </Button>
                      )}
                      <Button
                        aria-label={`${row.own === null ? "Set" : "Change"} the own price of ${row.ownerName}, ${row.cycleName}`}
                        onClick={() => setQuestion({ kind: "set", asked: row })}
                        size="sm"
                      >
                        {row.own === null ? "Set" : "Change"}
                      </Button>
                    </span>
                  </RowControl>
                </Allowed>
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
      {current !== null && question?.kind === "set" && (
        <OwnPriceDialog action={set} currency={currency} onClose={close} resellerName={resellerName} row={current} />
      )}
      {current !== null && question?.kind === "remove" && (
        <ConfirmChange
          action={remove}
          confirmLabel="Remove"
          cost={[
            { label: "Renew with it", value: current.live.toLocaleString("en-US") },
            { label: "Price now", value: <PricesText currency={currency} prices={current.own} /> },
            { label: "Price from now on", value: <PricesText currency={currency} prices={current.list} /> },
          ]}
          description={`${resellerName} pays the list price of ${current.ownerName}, ${current.cycleName}, from now on.`}
          done={`${resellerName} pays the list price for ${current.ownerName}`}
          input={{ cycle_id: current.cycleId, seenVersion: current.ownVersion }}
          onClose={close}
          title="Remove the own price?"
        />
      )}
    </>
  );
}

/** What the reseller pays against what it costs us. */
function Markup({ row: { own, list, cost } }: { readonly row: OwnPriceRow }) {
  const paid = own ?? list;
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="tabular">{(paid && markupText(paid.price, cost?.price ?? null)) ?? "Not known"}</span>
      {paid !== null && cost !== null && paid.price < cost.price && <Badge tone="critical">Below cost</Badge>}
    </span>
  );
}
