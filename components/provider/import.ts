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
