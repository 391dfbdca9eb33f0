import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { ProviderTraits } from "#lib/domain/provider-traits.ts";
import type { ComparedFact } from "#lib/domain/reconciliation.ts";

/** The upstream company that really issues licenses, as seen from here. */
export interface LicenseProvider {
  readonly name: string;
  readonly traits: ProviderTraits;
  /**
   * Carries out one request. Never throws: what is not a clear answer is an outcome of its own.
   * The same idempotency key is carried out once, however often it is sent.
   * @param maySend asked right before the request leaves: false withholds it
   */
  execute(request: ProviderRequest, maySend: () => boolean): Promise<ProviderOutcome>;
  /**
   * What became of a request, asked by our reference. Never throws, and never carries the request out.
   * `voidIfUnseen`: a request that has not arrived is never carried out from then on, whoever still sends it.
   */
  lookUp(request: ProviderRequest, options?: { readonly voidIfUnseen: boolean }): Promise<ProviderLookUp>;
  /**
   * What the provider holds for us now, a page at a time, for comparison with our own books.
   * @param findKnown the provider's own names of licenses → our references, for providers whose lists have only theirs
   * @throws DomainError `provider_unavailable`
   */
  bookPages(findKnown: FindKnownReferences): AsyncIterable<readonly ProviderBookEntry[]>;
  /**
   * Reads licenses one by one, for what the pages leave unreported; absent where they tell everything. One result for each
   * name in order, null for a license that is gone; ends early when the provider answers no more. Never throws.
   * @param names the provider's own, the most wanted first
   */
  bookDetails?(names: readonly string[]): AsyncIterable<ProviderBookDetail | null>;
  /** Whether requests get through to it now; absent where nothing can be in between. */
  health?(): ProviderHealth;
  /** Our account there, and what it sells to us; absent where there is none. */
  readonly account?: ProviderAccount;
  /** Ends what it keeps open, once the requests under way have ended. */
  close?(): Promise<void>;
}

/** Money is text in major units, as the provider writes it. */
export interface ProviderAccount {
  /** @throws DomainError `provider_unavailable`, `provider_rejected` */
  readBalance(): Promise<{ readonly balance: string; readonly currency: string }>;
  /** @throws DomainError `provider_unavailable`, `provider_rejected` */
  listProducts(): Promise<readonly ProviderProduct[]>;
}

/** What a provider sells: `sku`, `cycle` are its names, as our products and cycles store them. */
export interface ProviderProduct {
  readonly sku: string;
  readonly name: string;
  readonly type: string;
  readonly coreMetered: boolean;
  readonly workers: number;
  readonly cycles: readonly ProviderCycle[];
}

export interface ProviderCycle {
  readonly cycle: string;
  readonly name: string;
  readonly months: number;
  readonly currency: string;
  readonly price: string;
  readonly setupFee: string;
  readonly pricePerCore: string | null;
}

/** As this process has seen it. */
export interface ProviderHealth {
  /** `open`: it failed repeatedly, and is left alone; `half_open`: one request probes it; `disabled`: by an admin. */
  readonly state: "closed" | "open" | "half_open" | "disabled";
  /** Whether a request would be sent now. */
  readonly accepts: boolean;
  readonly lastSuccessAt: Date | null;
  readonly lastFailure: { readonly at: Date; readonly message: string } | null;
  /** How long the last answered request took. */
  readonly lastLatencyMs: number | null;
}

/** `providerReference`: the provider's own name of the license, where it tells one. */
interface ProviderSuccess {
  readonly kind: "succeeded";
  readonly providerReference?: string;
}

/** Why there is no answer: what a circuit breaker counts. Absent where the provider did answer. */
export type ProviderFault = "connection" | "time_out";

export type ProviderOutcome =
  | ProviderSuccess
  /**
   * An explicit refusal: nothing was done. `accountProblem`: what is wrong with our account there, for the operator;
   * `message` is for the customer.
   */
  | { readonly kind: "rejected"; readonly message: string; readonly accountProblem?: string }
  /** Never reached the provider: nothing was done, and it can be tried again. */
  | { readonly kind: "not_sent"; readonly message: string; readonly fault?: ProviderFault }
  /** `maySend` said no: nothing was sent, and whether anything is to be is for somebody else to say. */
  | { readonly kind: "withheld" }
  /** Time-out, reset, server error, unreadable answer: it may or may not have been done. */
  | { readonly kind: "unknown"; readonly message: string; readonly fault?: ProviderFault };

export type ProviderLookUp =
  | ProviderSuccess
  | { readonly kind: "rejected"; readonly message: string }
  /** The provider has not seen it. `isVoid`: and will never carry it out. */
  | { readonly kind: "not_found"; readonly isVoid: boolean }
  | { readonly kind: "unreachable"; readonly message: string };

export type FindKnownReferences = (providerReferences: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface BookFacts {
  /** The provider's name of the product. */
  readonly product: string;
  readonly address: string;
  /** Null for a license without a count of cores. */
  readonly cores: number | null;
  /** `pending`: not known to the provider itself yet. An expired license is active, with its term over. */
  readonly state: "active" | "suspended" | "terminated" | "pending";
  /** The end of the term in UTC: the instant, else the day. */
  readonly term: { readonly expiresAt: string } | { readonly expiresOn: string };
}

export interface ProviderBookEntry {
  /** Our reference; `provider:<its own name>` where the license has none of ours. */
  readonly reference: string;
  /** The provider's own name of the license, where it has one. */
  readonly providerReference?: string;
  /** Every compared fact by name; undefined: these books do not tell it, so it is not compared. */
  readonly facts: { readonly [Fact in ComparedFact]: BookFacts[Fact] | undefined };
}

/** What one license's record tells in full. */
export interface ProviderBookDetail {
  readonly providerReference: string;
  /** Our reference in the provider's record; null for a license that did not come from us. */
  readonly reference: string | null;
  readonly facts: Omit<BookFacts, "product" | "term"> & { readonly term: { readonly expiresAt: string } };
}
