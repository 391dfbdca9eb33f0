"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useServerChanges } from "#components/form/use-server-changes.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { CycleNamesInput, CycleView, NewCycleInput, OwnerView } from "./catalog.ts";
import { emptyDraft, PriceInputs, priceLabels } from "./price-inputs.tsx";

const nameLabels = { name: "Name", months: "Months", provider_cycle: "Provider's name of it" } as const;
const newLabels = { ...nameLabels, ...priceLabels };

export interface NewCycleDialogProps {
  readonly owner: OwnerView;
  readonly currencies: readonly string[];
  readonly action: OnceAction<NewCycleInput>;
  readonly onClose: () => void;
}

/** A term and its first price: without one it could not be sold. */
export function NewCycleDialog({ owner, currencies, action, onClose }: NewCycleDialogProps) {
  const [names, setNames] = useState({ name: "", months: "", provider_cycle: "" });
  const [currency, setCurrency] = useState(currencies[0] ?? "");
  const [draft, setDraft] = useState(emptyDraft);
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({ title: `${names.name} is on sale`, tone: "positive" });
  });
  const { problems, refusal } = useFieldProblems(failure, newLabels);
  const { product_id, bundle_id } = owner;
  return (
    <ConfirmDialog
      confirmLabel="Add cycle"
      description={`A term that ${owner.name} is sold for, with its first price. Prices in other currencies can be added later.`}
      onClose={onClose}
      onConfirm={() => void send({ product_id, bundle_id, ...names, currency, ...draft })}
      open
      pending={pending}
      title="Add a billing cycle"
    >
      <div className="grid grid-cols-[1fr_6rem] gap-3">
        <Field error={problemOf(problems, "name")} label={nameLabels.name} name="name">
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              data-autofocus=""
              onChange={({ target }) => setNames({ ...names, name: target.value })}
              placeholder="Half-yearly"
              value={names.name}
            />
          )}
        </Field>
        <Field error={problemOf(problems, "months")} label={nameLabels.months} name="months">
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              className="tabular"
              inputMode="numeric"
              onChange={({ target }) => setNames({ ...names, months: target.value })}
              value={names.months}
            />
          )}
        </Field>
      </div>
      {owner.providerCycles && (
        <ProviderCycleField
          error={problemOf(problems, "provider_cycle")}
          onChange={(text) => setNames({ ...names, provider_cycle: text })}
          value={names.provider_cycle}
        />
      )}
      <Field error={problemOf(problems, "currency")} label={priceLabels.currency} name="currency">
        {(control) => (
          <Select
            {...control}
            onChange={({ target }) => setCurrency(target.value)}
            options={currencies.map((code) => ({ value: code, label: code }))}
            value={currency}
          />
        )}
      </Field>
      <PriceInputs
        coreMetered={owner.coreMetered}
        currency={currency}
        draft={draft}
        onChange={setDraft}
        problems={problems}
      />
      {refusal && <SubmissionError failure={refusal} refusalNote="No cycle was added." />}
    </ConfirmDialog>
  );
}

export interface CycleNamesDialogProps {
  readonly owner: OwnerView;
  readonly cycle: CycleView;
  readonly action: OnceAction<CycleNamesInput>;
  readonly onClose: () => void;
}

/** How long a cycle is never changes: it was sold as that. */
export function CycleNamesDialog({ owner, cycle, action, onClose }: CycleNamesDialogProps) {
  const [name, setName] = useState(cycle.name);
  const [providerCycle, setProviderCycle] = useState(cycle.providerCycle ?? "");
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({ title: "Cycle changed", tone: "positive" });
  });
  const { problems, refusal } = useFieldProblems(failure, nameLabels);
  const stored = { name: cycle.name, provider_cycle: cycle.providerCycle ?? "" };
  const { serverChanges, beforeSending } = useServerChanges(failure, stored, nameLabels);
  return (
    <ConfirmDialog
      confirmLabel="Save"
      description="Its length never changes: it was sold for that many months."
      onClose={onClose}
      onConfirm={() => {
        beforeSending();
        void send({ cycle_id: cycle.cycleId, name, provider_cycle: providerCycle, seenVersion: cycle.version });
      }}
      open
      pending={pending}
      title={`Edit ${cycle.name}`}
    >
      <Field error={problemOf(problems, "name")} label={nameLabels.name} name="name">
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            data-autofocus=""
            onChange={({ target }) => setName(target.value)}
            value={name}
          />
        )}
      </Field>
      {owner.providerCycles && (
        <ProviderCycleField
          error={problemOf(problems, "provider_cycle")}
          onChange={setProviderCycle}
          value={providerCycle}
        />
      )}
      {refusal && (
        <SubmissionError failure={refusal} refusalNote="Nothing was changed." serverChanges={serverChanges} />
      )}
    </ConfirmDialog>
  );
}

interface ProviderCycleFieldProps {
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function ProviderCycleField({ error, value, onChange }: ProviderCycleFieldProps) {
  return (
    <Field
      error={error}
      hint="The cycle's id at the provider. An import fills it in."
      label={nameLabels.provider_cycle}
      name="provider_cycle"
    >
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          mono
          onChange={({ target }) => onChange(target.value)}
          spellCheck={false}
          value={value}
        />
      )}
    </Field>
  );
}
