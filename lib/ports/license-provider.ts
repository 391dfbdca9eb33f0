import type { ProviderRequest } from "#lib/domain/provider-request.ts";

/** The upstream company that really issues licenses, as seen from here. */
export interface LicenseProvider {
  readonly name: string;
  /**
   * Carries out one request. Never throws: what is not a clear answer is an outcome of its own.
   * The same idempotency key is carried out once, however often it is sent.
   */
  execute(request: ProviderRequest): Promise<ProviderOutcome>;
  /** What became of a request, asked by our reference. Never throws, and never carries the request out. */
  lookUp(request: ProviderRequest): Promise<ProviderLookUp>;
  /**
   * What the provider holds for us now, for comparison with our own books.
   * @param known the provider's own names of licenses → our references, for providers whose lists tell only theirs
   * @throws DomainError `provider_unavailable`
   */
  books(known?: ReadonlyMap<string, string>): Promise<readonly ProviderBookEntry[]>;
  /** The same a page at a time; absent where the books are read at once. @throws DomainError `provider_unavailable` */
  bookPages?(): AsyncIterable<readonly ProviderBookEntry[]>;
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
  /** Time-out, reset, server error, unreadable answer: it may or may not have been done. */
  | { readonly kind: "unknown"; readonly message: string; readonly fault?: ProviderFault };

export type ProviderLookUp =
  | ProviderSuccess
  | { readonly kind: "rejected"; readonly message: string }
  /** The provider never saw it. */
  | { readonly kind: "not_found" }
  | { readonly kind: "unreachable"; readonly message: string };

export interface ProviderBookEntry {
  /** Our reference; `provider:<its own name>` where the license has none of ours. */
  readonly reference: string;
  /** The provider's own name of the license, where it has one. */
  readonly providerReference?: string;
  readonly product: string;
  readonly ipAddress: string;
  readonly cores: number | null;
  /** `pending`: not known to itself yet. */
  readonly state: "active" | "suspended" | "terminated" | "pending";
  /** The last day of the term in UTC, where the provider tells it. */
  readonly expiresOn?: string;
  /** What this entry does not tell: not to be compared. */
  readonly untold?: readonly ("product" | "ipAddress" | "cores")[];
}
