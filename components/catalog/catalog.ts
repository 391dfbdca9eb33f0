import type { PriceFields } from "#components/price-grid/price-editor.tsx";

export const productHref = (id: number) => `/catalog/products/${id}`;
export const bundleHref = (id: number) => `/catalog/bundles/${id}`;

/** What a cycle is of. */
export interface OwnerView {
  /** One of the two. */
  readonly product_id?: number;
  readonly bundle_id?: number;
  readonly name: string;
  readonly coreMetered: boolean;
  /** Whether the provider has cycles of its own, as every one with the dispatch interface has. */
  readonly providerCycles: boolean;
}

export interface NewCycleInput extends PriceFields {
  readonly product_id?: number | undefined;
  readonly bundle_id?: number | undefined;
  readonly name: string;
  readonly months: string;
  readonly provider_cycle: string;
}

export interface CycleNamesInput {
  readonly cycle_id: number;
  readonly name: string;
  readonly provider_cycle: string;
  readonly seenVersion: string;
}

export interface RetireInput {
  readonly id: number;
  readonly retired: boolean;
}

export interface ProductInput {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly provider_sku: string;
  readonly core_metered: boolean;
  readonly workers: string;
}

export interface BundleInput {
  readonly name: string;
  readonly description: string;
  /** Product ids, in their order. */
  readonly members: readonly number[];
}

export interface Created {
  readonly href: string;
}
