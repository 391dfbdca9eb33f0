import type { PricesView } from "#components/catalog/catalog.ts";
import type { MarkupRounding } from "#lib/domain/markup.ts";

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

/** Money: minor units, as decimal text. */
export interface ImportedCycleView {
  readonly name: string;
  readonly months: number;
  readonly status: ImportStatus;
  readonly currency: string;
  readonly cost: PricesView;
  /** The list price now; null: none in this currency. */
  readonly before: PricesView | null;
  readonly after: PricesView;
  readonly markup: string | null;
  readonly belowCost: "raised_to_cost" | "allowed" | null;
  /** How many resellers have a price of their own that is below cost now. */
  readonly ownPricesBelowCost: number;
}

export interface ImportedProductView {
  readonly sku: string;
  readonly name: string;
  readonly type: string;
  readonly status: ImportStatus;
  readonly cycles: readonly ImportedCycleView[];
}

export interface ImportPreview {
  readonly fingerprint: string;
  readonly products: readonly ImportedProductView[];
  readonly skipped: readonly { readonly sku: string; readonly cycle: string | null; readonly reason: string }[];
  /** Types of ours that the provider no longer sells. */
  readonly missing: readonly string[];
}
