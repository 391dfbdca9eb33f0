"use client";
import { useState } from "react";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { SelectField } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { CycleView, OwnerView, PriceInput, PriceView, ReachView } from "./catalog.ts";
import { draftOf, emptyDraft, PriceInputs, typedPrices } from "./price-inputs.tsx";
import { costLines, isUnchanged, setPriceLabel } from "./price-lines.tsx";
import { PricesText } from "./prices-text.tsx";
import { reachText } from "./reach-text.ts";

export interface PriceDialogProps {
  readonly owner: OwnerView;
  readonly cycle: CycleView;
  /** Null: one in a currency that the cycle has no price in. */
  readonly price: PriceView | null;
  /** To choose from for a new one. */
  readonly currencies: readonly string[];
  readonly action: OnceAction<PriceInput>;
  readonly onClose: () => void;
}

/** Sets a list price; says first who renews at it. */
export function PriceDialog({ owner, cycle, price, currencies, action, onClose }: PriceDialogProps) {
  const free = currencies.filter((code) => cycle.prices.every(({ currency }) => currency !== code));
  const [currency, setCurrency] = useState(price?.currency ?? free[0] ?? "");
  const [draft, setDraft] = useState(price === null ? emptyDraft : draftOf(price, price.currency));
  const typed = typedPrices(draft, currency);
  const cost = cycle.cost?.currency === currency ? cycle.cost : null;
  return (
    <ConfirmChange
      action={action}
      confirmLabel={setPriceLabel(typed, price, currency)}
      cost={[
        ...(price === null ? [] : reachLines(price.reach)),
        ...costLines(cost, typed, currency),
        ...(price === null ? [] : [{ label: "Price now", value: <PricesText currency={currency} prices={price} /> }]),
        ...(typed === null
          ? []
          : [{ label: "Price from now on", value: <PricesText currency={currency} prices={typed} /> }]),
      ]}
      description={`${owner.name}, ${cycle.name}. Charges from now on use it; what was charged or is held stays as it is.`}
      confirmDisabled={price !== null && isUnchanged(draft, draftOf(price, price.currency))}
      done={
        typed === null || typed.price === price?.price
          ? "Prices set"
          : `${cycle.name} is ${moneyText(typed.price, currency)} from now on`
      }
      input={{ cycle_id: cycle.cycleId, currency, seenVersion: price?.version ?? "", ...draft }}
      onClose={onClose}
      refusalNote="No price was changed."
      title={price === null ? "Add a price" : `Change the price in ${price.currency}`}
    >
      {price === null && (
        <SelectField
          label="Currency"
          name="currency"
          onChange={({ target }) => setCurrency(target.value)}
          options={free.map((code) => ({ value: code, label: code }))}
          value={currency}
        />
      )}
      <PriceInputs autoFocus coreMetered={owner.coreMetered} currency={currency} draft={draft} onChange={setDraft} />
    </ConfirmChange>
  );
}

function reachLines(reach: ReachView) {
  const { autoRenew, nextRenewalAt } = reach;
  return [
    { label: "Renew at this price", value: reachText(reach) },
    ...(autoRenew === 0 ? [] : [{ label: "Of these, automatically", value: autoRenew.toLocaleString("en-US") }]),
    ...(nextRenewalAt === null
      ? []
      : [{ label: "First of them ends", value: <Timestamp format="date" value={nextRenewalAt} /> }]),
  ];
}
