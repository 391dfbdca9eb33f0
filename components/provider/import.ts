import type { CyclePrices, MarkupRounding } from "#lib/domain/markup.ts";

export interface ImportRule {
  readonly provider: string;
  /** On what the provider charges us, e.g. "12.5". */
  readonly percent: string;
  /** Major units of the provider's currency. */
  readonly fixed: string;
  readonly rounding: MarkupRounding;
  readonly allow_below_cost: boolean;
}

export interface ApplyInput {
  readonly rule: ImportRule;
  /** Of the preview: what it did not show is not done. */
  readonly fingerprint: string;
}

export interface ImportApplied {
  readonly changed: number;
}

export type ImportStatus = "new" | "changed" | "unchanged";

/** Money: minor units. */
export interface ImportedCycle {
  readonly cycle: { readonly name: string; readonly months: number; readonly price: CyclePrices };
  readonly status: ImportStatus;
  readonly currency: string;
  readonly cost: CyclePrices;
  /** The list price now; null: none in this currency. */
  readonly before: CyclePrices | null;
  readonly belowCost: "raised_to_cost" | "allowed" | null;
  /** Resellers' own prices that are below cost now. */
  readonly overridesBelowCost: readonly unknown[];
}

export interface ImportedProduct {
  readonly change: { readonly providerSku: string; readonly name: string; readonly slug: string };
  readonly status: ImportStatus;
  readonly cycles: readonly ImportedCycle[];
}

export interface ImportPreview {
  readonly fingerprint: string;
  readonly products: readonly ImportedProduct[];
  readonly skipped: readonly { readonly sku: string; readonly cycle: string | null; readonly reason: string }[];
  /** Types of ours that the provider no longer sells. */
  readonly missing: readonly string[];
  readonly missingCycles: readonly { readonly slug: string; readonly months: number }[];
}
