"use client";
import { TextField } from "#components/ui/field.tsx";

const labels = {
  price: "Price",
  setup_fee: "Setup fee",
  price_per_core: "Price per core",
} as const;

/** As typed: decimal text in major units. */
export interface PriceDraft {
  readonly price: string;
  readonly setup_fee: string;
  readonly price_per_core: string;
}

export const emptyDraft: PriceDraft = { price: "", setup_fee: "", price_per_core: "" };

export interface PriceInputsProps {
  readonly draft: PriceDraft;
  readonly onChange: (draft: PriceDraft) => void;
  readonly currency: string;
  readonly coreMetered: boolean;
}

/** Price, setup fee and, where the product is metered, price per core. */
export function PriceInputs({ draft, onChange, currency, coreMetered }: PriceInputsProps) {
  const fields = [
    {
      name: "price",
      optional: false,
      hint: coreMetered ? "For the whole cycle, with one core." : "For the whole cycle.",
    },
    ...(coreMetered
      ? ([{ name: "price_per_core", optional: false, hint: "For each further core and the whole cycle." }] as const)
      : []),
    { name: "setup_fee", optional: true, hint: "Once, when it is registered." },
  ] as const;
  return (
    <>
      {fields.map(({ name, optional, hint }) => (
        <TextField
          className="tabular"
          hint={hint}
          inputMode="decimal"
          key={name}
          label={currency === "" ? labels[name] : `${labels[name]} in ${currency}`}
          name={name}
          onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
          optional={optional}
          value={draft[name]}
        />
      ))}
    </>
  );
}
