"use client";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import type { CycleOffer } from "#lib/services/catalog/list-products.ts";
import { termText } from "./registration.ts";

export interface CycleChoicesProps {
  readonly cycles: readonly CycleOffer[];
  readonly currency: string;
  readonly chosenId: number | null;
  readonly onChange: (cycleId: string) => void;
}

export function CycleChoices({ cycles, currency, chosenId, onChange }: CycleChoicesProps) {
  return (
    <ChoiceCards
      choices={cycles.map((choice) => ({
        value: String(choice.cycleId),
        label: choice.name,
        detail: (
          <>
            <Money currency={currency} minor={choice.price} /> <SetupFee currency={currency} cycle={choice} />
          </>
        ),
      }))}
      columns={3}
      legend="Billing cycle"
      name="cycle_id"
      onChange={onChange}
      value={chosenId === null ? null : String(chosenId)}
    />
  );
}

/** At the end of a product's or bundle's card: its shortest cycle. */
export function FromPrice({ cycle, currency }: { readonly cycle: CycleOffer | undefined; readonly currency: string }) {
  if (cycle === undefined) return null;
  return (
    <>
      <Money currency={currency} minor={cycle.price} />
      <span className="block text-text-muted text-xs">per {termText(cycle.months)}</span>
      <span className="block text-text-muted text-xs empty:hidden">
        <SetupFee currency={currency} cycle={cycle} />
      </span>
    </>
  );
}

function SetupFee({ cycle: { setupFee }, currency }: { readonly cycle: CycleOffer; readonly currency: string }) {
  return setupFee === 0n ? null : <>+ {moneyText(setupFee, currency)} setup</>;
}
