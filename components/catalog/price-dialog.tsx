"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Select } from "#components/ui/select.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { CycleView, OwnerView, PriceInput, PriceView, ReachView } from "./catalog.ts";
import { draftOf, emptyDraft, PriceInputs, priceLabels, typedPrices } from "./price-inputs.tsx";
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
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({
      title:
        typed === null || typed.price === price?.price
          ? "Prices set"
          : `${cycle.name} is ${moneyText(typed.price, currency)} from now on`,
      tone: "positive",
    });
  });
  const { problems, refusal } = useFieldProblems(failure, priceLabels);
  const cost = cycle.cost?.currency === currency ? cycle.cost : null;
  return (
    <ConfirmDialog
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
      onClose={onClose}
      onConfirm={() => void send({ cycle_id: cycle.cycleId, currency, seenVersion: price?.version ?? "", ...draft })}
      open
      pending={pending}
      title={price === null ? "Add a price" : `Change the price in ${price.currency}`}
    >
      {price === null && (
        <Field error={problemOf(problems, "currency")} label={priceLabels.currency} name="currency">
          {(control) => (
            <Select
              {...control}
              onChange={({ target }) => setCurrency(target.value)}
              options={free.map((code) => ({ value: code, label: code }))}
              value={currency}
            />
          )}
        </Field>
      )}
      <PriceInputs
        autoFocus
        coreMetered={owner.coreMetered}
        currency={currency}
        draft={draft}
        onChange={setDraft}
        problems={problems}
      />
      {refusal && <SubmissionError failure={refusal} refusalNote="No price was changed." />}
    </ConfirmDialog>
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
