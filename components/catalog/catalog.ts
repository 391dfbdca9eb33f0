import type { CatalogState } from "#lib/domain/catalog.ts";

/** Money: minor units, as decimal text. */
export interface FromPrice {
  readonly minor: string;
  readonly currency: string;
  readonly months: number;
  /** In how many further currencies it is sold. */
  readonly moreCurrencies: number;
}

export interface ProductListRow {
  readonly id: string;
  readonly href: string;
  readonly name: string;
  readonly type: string;
  readonly provider: string;
  readonly providerSku: string;
  readonly coreMetered: boolean;
  readonly state: CatalogState;
  readonly cycleCount: number;
  readonly priceFrom: FromPrice | null;
  readonly liveLicenses: number;
}

export interface BundleListRow {
  readonly id: string;
  readonly href: string;
  readonly name: string;
  readonly members: readonly string[];
  readonly state: CatalogState;
  readonly cycleCount: number;
  readonly priceFrom: FromPrice | null;
  readonly liveInstances: number;
}

/** Minor units, as decimal text. */
export interface PricesView {
  readonly price: string;
  readonly setupFee: string;
  readonly pricePerCore: string | null;
}

/** Who renews at a price. */
export interface ReachView {
  readonly renewable: number;
  readonly resellers: number;
  readonly autoRenew: number;
  /** ISO 8601, UTC. */
  readonly nextRenewalAt: string | null;
  /** Those with a price of their own, which this one does not touch. */
  readonly ownPrice: number;
}

export interface PriceView extends PricesView {
  readonly currency: string;
  readonly version: string;
  readonly reach: ReachView;
  /** On what the provider charged at the last import, e.g. "+20%"; null where that is not known in this currency. */
  readonly markup: string | null;
}

export interface CycleView {
  readonly cycleId: number;
  readonly name: string;
  readonly months: number;
  readonly providerCycle: string | null;
  readonly retired: boolean;
  readonly cost: (PricesView & { readonly currency: string }) | null;
  readonly prices: readonly PriceView[];
  readonly version: string;
}

export interface RenewalView {
  readonly id: string;
  readonly what: string;
  readonly resellerName: string;
  readonly resellerHref: string;
  readonly cycle: string;
  /** ISO 8601, UTC. */
  readonly endsAt: string;
}

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

/** Decimal text in major units. */
export interface PriceFields {
  readonly currency: string;
  readonly price: string;
  readonly setup_fee: string;
  readonly price_per_core: string;
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

export interface PriceInput extends PriceFields {
  readonly cycle_id: number;
  /** Of the price that was seen; empty: there was none. */
  readonly seenVersion: string;
}

export interface PriceRef {
  readonly cycle_id: number;
  readonly currency: string;
  readonly seenVersion: string;
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
