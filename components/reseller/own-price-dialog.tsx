"use client";
import { useState } from "react";
import { draftOf, emptyDraft, PriceInputs, typedPrices } from "#components/catalog/price-inputs.tsx";
import { costLines, isUnchanged, setPriceLabel } from "#components/catalog/price-lines.tsx";
import { PricesText } from "#components/catalog/prices-text.tsx";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { OwnPriceInput, OwnPriceRow } from "./own-price.ts";

export interface OwnPriceDialogProps {
  readonly row: OwnPriceRow;
  readonly currency: string;
  readonly resellerName: string;
  readonly action: OnceAction<OwnPriceInput>;
  readonly onClose: () => void;
}

/** Starts from what the reseller pays now, and shows what is earned with the price that is typed. */
export function OwnPriceDialog({ row, currency, resellerName, action, onClose }: OwnPriceDialogProps) {
  const current = row.own ?? row.list;
  const [draft, setDraft] = useState(current === null ? emptyDraft : draftOf(current, currency));
  const typed = typedPrices(draft, currency);
  return (
    <ConfirmChange
      action={action}
      confirmLabel={setPriceLabel(typed, row.own, currency)}
      cost={[
        { label: "Renewals", value: row.live.toLocaleString("en-US") },
        ...(row.list === null
          ? []
          : [{ label: "List price", value: <PricesText currency={currency} prices={row.list} /> }]),
        ...(row.own === null
          ? []
          : [{ label: "Own price now", value: <PricesText currency={currency} prices={row.own} /> }]),
        ...costLines(row.cost, typed, currency),
        ...(typed === null
          ? []
          : [{ label: "Own price from now on", value: <PricesText currency={currency} prices={typed} /> }]),
      ]}
      // The list price as an own price is a choice: changes of the list do not touch it.
      confirmDisabled={row.own !== null && isUnchanged(draft, draftOf(row.own, currency))}
      description={`${resellerName} pays this instead of the list price from now on. Later changes to the list price do not affect it.`}
      done={`${resellerName} pays its own price for ${row.ownerName}`}
      input={{ cycle_id: row.cycleId, seenVersion: row.ownVersion, ...draft }}
      onClose={onClose}
      refusalNote="No price was changed."
      title={`${row.ownerName}, ${row.cycleName}`}
    >
      <PriceInputs autoFocus coreMetered={row.coreMetered} currency={currency} draft={draft} onChange={setDraft} />
    </ConfirmChange>
  );
}
