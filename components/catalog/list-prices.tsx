"use client";
import { useState } from "react";
import type { savePrices } from "#app/(dashboard)/catalog/actions.ts";
import { amountOf } from "#components/price-grid/grid.ts";
import { PriceEditor, type TextOf } from "#components/price-grid/price-editor.tsx";
import type { GridRow } from "#components/price-grid/price-grid.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Select } from "#components/ui/select.tsx";
import { countText, numberText } from "#lib/domain/count-text.ts";
import type { OwnerView } from "./catalog.ts";
import { type CycleActions, CycleMenu } from "./cycle-menu.tsx";
import { type CycleView, markupText } from "./describe-cycle.ts";
import { cellId, fieldsOf, majorText, type PriceField } from "./price-fields.ts";

export interface ListPricesProps {
  readonly owner: OwnerView;
  /** At least one. */
  readonly cycles: readonly CycleView[];
  /** To choose from, the most common first. */
  readonly currencies: readonly string[];
  readonly actions: CycleActions & { readonly savePrices: typeof savePrices };
}

/** All cycles in all currencies, with cost and markup. */
export function ListPrices({ owner, cycles, currencies, actions }: ListPricesProps) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const priced = new Set([...added, ...cycles.flatMap(({ prices }) => prices.map(({ currency }) => currency))]);
  const columns = currencies.filter((code, index) => priced.has(code) || (priced.size === 0 && index === 0));
  const free = currencies.filter((code) => !columns.includes(code));
  const fields = fieldsOf(owner.coreMetered);

  const rowOf = (cycle: CycleView, field: PriceField, textOf: TextOf): GridRow => {
    const inner = field.name !== "price";
    const cost = cycle.cost && { minor: field.of(cycle.cost), currency: cycle.cost.currency };
    return {
      key: `${cycle.cycleId} ${field.name}`,
      inner,
      header: inner ? (
        <span className="text-text-muted">{field.name === "setup_fee" ? "Setup fee" : "Per core"}</span>
      ) : (
        <CycleHeader actions={actions} cycle={cycle} owner={owner} />
      ),
      facts: [
        <span className="text-text-muted" key="cost">
          {cost?.minor == null ? (inner ? "" : "Not known") : moneyText(cost.minor, cost.currency)}
        </span>,
      ],
      cells: columns.map((currency) => ({
        id: cellId(cycle.cycleId, currency, field.name),
        label: `${cycle.name}, ${field.label} in ${currency}`,
        currency,
        stored: storedText(cycle, currency, field),
        cost: cost?.currency === currency ? cost.minor : null,
      })),
      notes: inner ? [] : columns.map((currency) => noteOf(cycle, currency, textOf)),
    };
  };

  return (
    <PriceEditor
      action={actions.savePrices}
      columnChoice="Currency"
      columns={columns}
      heads={["Cycle", "Cost"]}
      label={`Prices of ${owner.name}`}
      reach={(changedIds) => reachOf(cycles, changedIds)}
      rowsOf={(textOf) => cycles.flatMap((cycle) => fields.map((field) => rowOf(cycle, field, textOf)))}
      toChanges={(changedIds, textOf) =>
        cycles.flatMap((cycle) =>
          columns
            .filter((currency) => fields.some(({ name }) => changedIds.has(cellId(cycle.cycleId, currency, name))))
            .map((currency) => {
              const text = (field: string) => textOf(cellId(cycle.cycleId, currency, field));
              return {
                cycle_id: cycle.cycleId,
                currency,
                price: text("price"),
                setup_fee: text("setup_fee"),
                price_per_core: text("price_per_core"),
                seenVersion: priceIn(cycle, currency)?.version ?? "",
              };
            }),
        )
      }
      tools={
        free.length > 0 && (
          <Select
            aria-label="Add currency"
            className="w-40!"
            onChange={({ target }) => setAdded((known) => [...known, target.value])}
            options={free.map((code) => ({ value: code, label: code }))}
            placeholder="Add currency…"
            value=""
          />
        )
      }
    />
  );
}

function CycleHeader({
  owner,
  cycle,
  actions,
}: Pick<ListPricesProps, "owner" | "actions"> & { readonly cycle: CycleView }) {
  return (
    <span className="flex items-start justify-between gap-1">
      <span>
        <span className="font-medium">{cycle.name}</span> {cycle.retired && <Badge>Retired</Badge>}
        <span className="block text-text-muted text-xs">
          {countText(cycle.months, "month")}
          {cycle.providerCycle !== null && ` · provider's ${cycle.providerCycle}`}
        </span>
      </span>
      <Allowed to="catalog:write">
        <span className="-my-1 pointer-coarse:-my-2">
          <CycleMenu actions={actions} cycle={cycle} owner={owner} />
        </span>
      </Allowed>
    </span>
  );
}

function priceIn(cycle: CycleView, currency: string) {
  return cycle.prices.find((price) => price.currency === currency) ?? null;
}

function storedText(cycle: CycleView, currency: string, field: PriceField): string {
  const price = priceIn(cycle, currency);
  if (price === null || (field.name === "setup_fee" && price.setupFee === 0n)) return "";
  return majorText(field.of(price), currency);
}

/** "+20% · 12 renewals" */
function noteOf(cycle: CycleView, currency: string, textOf: TextOf): string {
  const amount = amountOf(textOf(cellId(cycle.cycleId, currency, "price")), currency);
  const markup = amount === null || cycle.cost?.currency !== currency ? null : markupText(amount, cycle.cost.price);
  const renewable = priceIn(cycle, currency)?.reach.renewable ?? 0;
  return [markup, renewable > 0 && countText(renewable, "renewal", "renewals")].filter(Boolean).join(" · ");
}

function reachOf(cycles: readonly CycleView[], changedIds: ReadonlySet<string>): string | null {
  const met = cycles.flatMap(({ cycleId, prices }) =>
    prices.filter(({ currency }) =>
      ["price", "price_per_core"].some((field) => changedIds.has(cellId(cycleId, currency, field))),
    ),
  );
  const total = met.reduce((sum, { reach }) => sum + reach.renewable, 0);
  const automatic = met.reduce((sum, { reach }) => sum + reach.autoRenew, 0);
  if (total === 0) return null;
  return `${numberText(total)} renew at these prices, ${numberText(automatic)} automatically.`;
}
