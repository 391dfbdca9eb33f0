"use client";
import { TextField } from "#components/ui/field.tsx";
import type { CyclePrices } from "#lib/domain/markup.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import { parseTypedAmount } from "#lib/domain/typed-amount.ts";

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

export function draftOf(prices: CyclePrices, currency: string): PriceDraft {
  const text = (minor: bigint) => toMajorText(minor, currency as Currency);
  return {
    price: text(prices.price),
    setup_fee: prices.setupFee === 0n ? "" : text(prices.setupFee),
    price_per_core: prices.pricePerCore === null ? "" : text(prices.pricePerCore),
  };
}

/** The typed price in minor units; null while it is none. */
function typedAmount(text: string, currency: string): bigint | null {
  const { minor = -1n } = currency === "" ? {} : parseTypedAmount(text, currency as Currency);
  return minor >= 0n ? minor : null;
}

/** What is typed, with what belongs to it; null while the price is none. */
export function typedPrices(draft: PriceDraft, currency: string): CyclePrices | null {
  const price = typedAmount(draft.price, currency);
  if (price === null) return null;
  return {
    price,
    setupFee: typedAmount(draft.setup_fee, currency) ?? 0n,
    pricePerCore: typedAmount(draft.price_per_core, currency),
  };
}

export interface PriceInputsProps {
  readonly draft: PriceDraft;
  readonly onChange: (draft: PriceDraft) => void;
  readonly currency: string;
  readonly coreMetered: boolean;
  /** The dialog begins at the price. */
  readonly autoFocus?: boolean;
}

/** Price, setup fee and, where the product is metered, price per core. */
export function PriceInputs({ draft, onChange, currency, coreMetered, autoFocus = false }: PriceInputsProps) {
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
          data-autofocus={autoFocus && name === "price" ? "" : undefined}
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
