"use client";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { addCycle, editCycle } from "#app/(dashboard)/catalog/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { SelectField, TextField } from "#components/ui/field.tsx";
import type { InputOf } from "#lib/domain/action-result.ts";
import type { OwnerView } from "./catalog.ts";
import type { CycleView } from "./describe-cycle.ts";

export interface NewCycleDialogProps {
  readonly owner: OwnerView;
  readonly currencies: readonly string[];
  readonly action: typeof addCycle;
  readonly onClose: () => void;
}

/** A term and its first price: without one it could not be sold. */
function NewCycleDialog({ owner, currencies, action, onClose }: NewCycleDialogProps) {
  const [name, setName] = useState("");
  const [currency, setCurrency] = useState(currencies[0] ?? "");
  const { product_id, bundle_id } = owner;
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Add cycle"
      description={`A term that ${owner.name} is sold for, with its first price. Prices in other currencies can be added later.`}
      done={`${name} is on sale`}
      input={(textOf) => ({
        product_id,
        bundle_id,
        provider_cycle: textOf("provider_cycle"),
        price_per_core: textOf("price_per_core"),
      })}
      onClose={onClose}
      refusalNote="No cycle was added."
      title="Add a billing cycle"
    >
      <div className="grid grid-cols-[1fr_6rem] gap-3">
        <TextField
          data-autofocus
          label="Name"
          name="name"
          onChange={({ target }) => setName(target.value)}
          placeholder="Half-yearly"
          value={name}
        />
        <TextField className="tabular" inputMode="numeric" label="Months" name="months" />
      </div>
      {owner.providerCycles && <ProviderCycleField />}
      <SelectField
        label="Currency"
        name="currency"
        onChange={({ target }) => setCurrency(target.value)}
        options={currencies.map((code) => ({ value: code, label: code }))}
        value={currency}
      />
      <PriceInputs coreMetered={owner.coreMetered} currency={currency} />
    </ConfirmChange>
  );
}

export interface CycleNamesDialogProps {
  readonly owner: OwnerView;
  readonly cycle: CycleView;
  readonly action: typeof editCycle;
  readonly onClose: () => void;
}

/** How long a cycle is never changes: it was sold as that. */
export function CycleNamesDialog({ owner, cycle, action, onClose }: CycleNamesDialogProps) {
  const stored = { name: cycle.name, provider_cycle: cycle.providerCycle ?? "" };
  return (
    <ConfirmChange
      action={(input: InputOf<typeof action>, key?: string) => action({ ...input, seenVersion: cycle.version }, key)}
      confirmLabel="Save"
      description="Its length never changes: it was sold for that many months."
      done="Cycle changed"
      input={(textOf) => ({
        cycle_id: cycle.cycleId,
        provider_cycle: owner.providerCycles ? textOf("provider_cycle") : stored.provider_cycle,
      })}
      onClose={onClose}
      stored={stored}
      title={`Edit ${cycle.name}`}
    >
      <TextField data-autofocus defaultValue={cycle.name} label="Name" name="name" />
      {owner.providerCycles && <ProviderCycleField defaultValue={stored.provider_cycle} />}
    </ConfirmChange>
  );
}

function ProviderCycleField({ defaultValue }: { readonly defaultValue?: string }) {
  return (
    <TextField
      defaultValue={defaultValue}
      hint="The cycle's id at the provider, which sells nothing without it. An import fills it in."
      label="Provider's name of it"
      mono
      name="provider_cycle"
    />
  );
}

/** The button, and the dialog behind it. */
export function AddCycle({ primary, ...dialog }: Omit<NewCycleDialogProps, "onClose"> & { readonly primary: boolean }) {
  return (
    <DialogButton icon={<Plus />} label="Add cycle" variant={primary ? "primary" : "secondary"}>
      {(onClose) => <NewCycleDialog {...dialog} onClose={onClose} />}
    </DialogButton>
  );
}

interface PriceInputsProps {
  readonly currency: string;
  readonly coreMetered: boolean;
}

/** Price, setup fee and, where the product is metered, price per core. */
function PriceInputs({ currency, coreMetered }: PriceInputsProps) {
  const inCurrency = currency === "" ? "" : ` in ${currency}`;
  return (
    <>
      <TextField
        className="tabular"
        hint={coreMetered ? "For the whole cycle, with one core." : "For the whole cycle."}
        inputMode="decimal"
        label={`Price${inCurrency}`}
        name="price"
      />
      {coreMetered && (
        <TextField
          className="tabular"
          hint="For each further core and the whole cycle."
          inputMode="decimal"
          label={`Price per core${inCurrency}`}
          name="price_per_core"
        />
      )}
      <TextField
        className="tabular"
        hint="Once, when it is registered."
        inputMode="decimal"
        label={`Setup fee${inCurrency}`}
        name="setup_fee"
        optional
      />
    </>
  );
}
