"use client";
import type { retireProduct } from "#app/(dashboard)/catalog/actions.ts";
import { ConfirmButton } from "#components/form/confirm-button.tsx";
import { numberText } from "#lib/domain/count-text.ts";

export interface RetireButtonProps {
  readonly id: number;
  readonly name: string;
  readonly retired: boolean;
  /** What was bought of it and still runs. */
  readonly kept: { readonly label: string; readonly count: number };
  readonly action: typeof retireProduct;
}

/** Takes a product or bundle off sale, or puts it back: what was sold is never deleted. */
export function RetireButton({ id, name, retired, kept, action }: RetireButtonProps) {
  const verb = retired ? "Restore" : "Retire";
  return (
    <ConfirmButton
      action={action}
      confirmLabel={verb}
      cost={[{ label: kept.label, value: numberText(kept.count) }]}
      description={
        retired
          ? "It can be bought again, at its prices."
          : "It can no longer be bought. Existing purchases stay as they are and keep renewing. You can restore it."
      }
      done={retired ? `${name} is restored` : `${name} is retired`}
      input={{ id, retired: !retired }}
      title={`${verb} ${name}?`}
      label={verb}
    />
  );
}
