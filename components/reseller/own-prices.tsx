"use client";
import type { savePrices } from "#app/(dashboard)/catalog/actions.ts";
import { bundleHref, productHref } from "#components/catalog/catalog.ts";
import { markupText } from "#components/catalog/describe-cycle.ts";
import { cellId, fieldsOf, majorText, priceFields } from "#components/catalog/price-fields.ts";
import { PricesText } from "#components/catalog/prices-text.tsx";
import { amountOf } from "#components/price-grid/grid.ts";
import { PriceEditor, type TextOf } from "#components/price-grid/price-editor.tsx";
import type { GridRow } from "#components/price-grid/price-grid.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { TextLink } from "#components/ui/text-link.tsx";
import { computeMarkup, formatMarkup } from "#lib/domain/catalog.ts";
import { countText, numberText } from "#lib/domain/count-text.ts";
import type { ResellerPriceRow } from "#lib/services/catalog/list-reseller-prices.ts";

export interface OwnPricesProps {
  readonly rows: readonly ResellerPriceRow[];
  readonly currency: string;
  readonly resellerName: string;
  readonly action: typeof savePrices;
}

const heads = { price: "Own price", price_per_core: "Own per core", setup_fee: "Own setup fee" } as const;

/** Every cycle with the list price, the reseller's own and what is earned. An empty own price: the list price holds. */
export function OwnPrices({ rows, currency, resellerName, action }: OwnPricesProps) {
  const fields = fieldsOf(rows.some(({ coreMetered }) => coreMetered));
  const idOf = ({ cycleId }: ResellerPriceRow, field: string) => cellId(cycleId, currency, field);

  const rowOf = (row: ResellerPriceRow, before: ResellerPriceRow | undefined, textOf: TextOf): GridRow => {
    const isNamedAbove = before?.kind === row.kind && before.ownerId === row.ownerId;
    const typed = amountOf(textOf(idOf(row, "price")), currency);
    const paid = typed ?? row.list?.price ?? null;
    const ofCost = paid === null ? null : markupText(paid, row.cost?.price ?? null);
    return {
      key: String(row.cycleId),
      inner: isNamedAbove,
      summary: summaryOf(typed, row, currency),
      header: (
        <span>
          <TextLink
            className={isNamedAbove ? "md:hidden" : undefined}
            href={row.kind === "bundle" ? bundleHref(row.ownerId) : productHref(row.ownerId)}
          >
            {row.ownerName}
          </TextLink>{" "}
          {row.retired && <Badge>Retired</Badge>}
          <span className="block text-text-muted text-xs">{row.cycleName}</span>
        </span>
      ),
      facts: [
        <PricesText currency={currency} key="list" prices={row.list} />,
        <span className="text-text-muted" key="cost">
          {row.cost ? <PricesText currency={currency} prices={row.cost} /> : "Not known"}
        </span>,
        <span className="inline-flex items-center gap-1.5" key="markup">
          {ofCost ?? "–"}
          {paid !== null && row.cost !== null && paid < row.cost.price && <Badge tone="critical">Below cost</Badge>}
        </span>,
        <span className="text-text-muted" key="live">
          {numberText(row.live)}
        </span>,
      ],
      cells: fields.map((field) =>
        field.name === "price_per_core" && !row.coreMetered
          ? null
          : {
              id: idOf(row, field.name),
              label: `${row.ownerName}, ${row.cycleName}, own ${field.label}`,
              currency,
              stored: row.own === null ? "" : majorText(field.of(row.own), currency),
              fallback: row.list === null ? "" : majorText(field.of(row.list), currency),
              cost: row.cost && field.of(row.cost),
            },
      ),
      notes: [typed !== null && row.list !== null && comparedToList(typed, row.list.price)],
    };
  };

  return (
    <PriceEditor
      action={action}
      columns={fields.map(({ name }) => heads[name])}
      heads={["Product", "List price", "Cost", "Markup", "Renewals"]}
      label={`Prices of ${resellerName}`}
      reach={(changedIds) => {
        const live = rows
          .filter((row) => priceFields.some(({ name }) => changedIds.has(idOf(row, name))))
          .reduce((sum, row) => sum + row.live, 0);
        return live === 0 ? null : `${countText(live, "renews", "renew")} at these prices.`;
      }}
      rowsOf={(textOf) => rows.map((row, index) => rowOf(row, rows[index - 1], textOf))}
      toChanges={(changedIds, textOf) =>
        rows
          .filter((row) => priceFields.some(({ name }) => changedIds.has(idOf(row, name))))
          .map((row) => toChange(row, currency, changedIds, (field) => textOf(idOf(row, field))))
      }
    />
  );
}

/** 10% less than the list price: "10% below list". */
function comparedToList(price: bigint, listPrice: bigint): string | null {
  const markup = computeMarkup(price, listPrice);
  if (markup === null) return null;
  if (price === listPrice) return "Same as list";
  return `${formatMarkup(markup).slice(1)} ${price < listPrice ? "below" : "above"} list`;
}

function summaryOf(own: bigint | null, { list }: ResellerPriceRow, currency: string): string {
  if (own !== null) return `Own ${moneyText(own, currency)}`;
  return list === null ? "No price" : `List ${moneyText(list.price, currency)}`;
}

/** What is left empty beside a typed price is that of the list. */
function toChange(
  { cycleId, own, ownVersion, list }: ResellerPriceRow,
  currency: string,
  changedIds: ReadonlySet<string>,
  textOf: (field: string) => string,
) {
  const ofList = (field: (typeof priceFields)[number]) => (list === null ? "" : majorText(field.of(list), currency));
  const isRemoved = textOf("price") === "" && (own !== null || changedIds.has(cellId(cycleId, currency, "price")));
  const [price, perCore, setupFee] = priceFields.map((field) => textOf(field.name) || ofList(field));
  return {
    cycle_id: cycleId,
    currency,
    price: isRemoved ? "" : (price ?? ""),
    setup_fee: setupFee ?? "",
    price_per_core: perCore ?? "",
    seenVersion: ownVersion,
  };
}
