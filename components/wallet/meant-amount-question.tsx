"use client";
import type { Meant } from "#components/form/use-meant.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import type { Currency } from "#lib/domain/money.ts";
import { parseTypedAmount } from "#lib/domain/typed-amount.ts";

/** Below the amount of a form that moves money, once the server has asked about a large one. */
export function MeantAmountQuestion({ asked, meant, setMeant, currency }: Meant & { readonly currency: string }) {
  const { minor } = parseTypedAmount(asked ?? "", currency as Currency);
  return (
    <div className="empty:hidden" data-field="meant_amount" data-label="Large amount">
      {minor !== undefined && (
        <Checkbox
          aria-invalid={meant ? undefined : true}
          checked={meant}
          hint="Amounts above the confirmation limit need this."
          label={`${moneyText(minor, currency)} is intended`}
          name="meant_amount"
          onChange={(event) => setMeant(event.target.checked)}
        />
      )}
    </div>
  );
}
