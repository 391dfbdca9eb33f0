"use client";
import { useState } from "react";
import { draftOf, emptyDraft, PriceInputs, priceLabels, typedPrices } from "#components/catalog/price-inputs.tsx";
import { costLines, isUnchanged, setPriceLabel } from "#components/catalog/price-lines.tsx";
import { PricesText } from "#components/catalog/prices-text.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { toast } from "#components/ui/toast-store.ts";
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
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({ title: `${resellerName} pays its own price for ${row.what}`, tone: "positive" });
  });
  const { problems, refusal } = useFieldProblems(failure, priceLabels);
  return (
    <ConfirmDialog
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
      onClose={onClose}
      onConfirm={() => void send({ cycle_id: row.cycleId, seenVersion: row.ownVersion, ...draft })}
      open
      pending={pending}
      title={`${row.what}, ${row.cycle}`}
    >
      <PriceInputs
        autoFocus
        coreMetered={row.coreMetered}
        currency={currency}
        draft={draft}
        onChange={setDraft}
        problems={problems}
      />
      {refusal && <SubmissionError failure={refusal} refusalNote="No price was changed." />}
    </ConfirmDialog>
  );
}
