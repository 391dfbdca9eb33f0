import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { ProviderTraits } from "#lib/domain/provider-traits.ts";
import type { ComparedFact } from "#lib/domain/reconciliation.ts";

export interface ProviderTurns {
  /** Calls `run`, which sends the share's requests, in the reseller's turn. Null: no turn came; nothing was sent. */
  take<Result>(share: ProviderShare, run: () => Promise<Result>): Promise<Result | null>;
  /** Time until the provider's next window if too few requests are left for this share; else 0. */
  usedUpForMs(share: ProviderShare): number;
}

export interface ProviderShare {
  readonly resellerId: number;
  readonly requests: number;
}

export interface LookUpOptions {
  readonly voidIfUnseen: boolean;
  readonly maySend?: () => boolean;
}

/** The upstream provider that issues licenses. */
export interface LicenseProvider {
  readonly name: string;
  readonly traits: ProviderTraits;
  /**
   * Daily limit (UTC) of answers that reveal whether an address is taken, for our whole account: resellers share it.
   * Absent: no limit.
   */
  readonly addressLookupLimit?: number;
  /** Limits concurrent operations and requests a minute; resellers take turns. Absent: no limit. */
  readonly turns?: ProviderTurns;
  /** Why it never carries this out, as far as is known without asking; null: it may. Absent: it carries everything out. */
  refusalOf?(request: ProviderRequest): string | null;
  /**
   * Carries out a request, once per idempotency key. Never throws: an unclear response is an outcome.
   * @param maySend called right before sending; false withholds the request
   */
  execute(request: ProviderRequest, maySend: () => boolean): Promise<ProviderOutcome>;
  /**
   * Whether it would carry out all of these purchases now, as far as it tells without doing any: `succeeded`, or the
   * outcome that one would have. Never throws. Absent: it cannot tell.
   */
  check?(purchases: readonly ProviderRequest[], maySend: () => boolean): Promise<ProviderOutcome>;
  /**
   * Looks up the outcome of a request by our reference. Never throws, and carries nothing out that has not arrived.
   * `voidIfUnseen`: a request that has not arrived never will be. `maySend`: one that has may be sent again under its
   * idempotency key, for the stored answer.
   */
  lookUp(request: ProviderRequest, options?: LookUpOptions): Promise<ProviderLookUp>;
  /**
   * Pages of the provider's current books.
   * @param findKnown maps the provider's identifiers to our references, for providers whose lists lack ours
   * @throws DomainError `provider_unavailable`
   */
  bookPages(findKnown: FindKnownReferences): AsyncIterable<readonly ProviderBookEntry[]>;
  /**
   * Reads single licenses for facts that the pages do not report; absent if they report everything. One result per name
   * in order, null for a deleted license; ends early if the provider stops responding. Never throws.
   * @param names the provider's identifiers, most urgent first
   */
  bookDetails?(names: readonly string[]): AsyncIterable<ProviderBookDetail | null>;
  /** Whether requests currently get through; absent for a built-in provider. */
  health?(): ProviderHealth;
  /** Shows the operator a problem with our account; absent for a built-in provider. */
  reportProblem?(message: string): void;
  /** Our account and what it can buy; absent if there is none. */
  readonly account?: ProviderAccount;
  /** Closes connections once requests in progress have ended. */
  close?(): Promise<void>;
}

/** Money is text in major units, as the provider writes it. */
export interface ProviderAccount {
  /** @throws DomainError `provider_unavailable`, `provider_rejected` */
  readBalance(): Promise<{ readonly balance: string; readonly currency: string }>;
  /** @throws DomainError `provider_unavailable`, `provider_rejected` */
  listProducts(): Promise<readonly ProviderProduct[]>;
}

/** A provider's product; `sku` and `cycle` are its names, which our products and cycles store. */
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

/** As seen by this process. */
export interface ProviderHealth {
  /** `open`: nothing is sent after repeated failures; `half_open`: one request probes it; `disabled`: by an admin. */
  readonly state: "closed" | "open" | "half_open" | "disabled";
  /** Whether a request would be sent now. */
  readonly accepts: boolean;
  readonly lastSuccessAt: Date | null;
  readonly lastFailure: { readonly at: Date; readonly message: string } | null;
  /** Duration of the last answered request. */
  readonly lastLatencyMs: number | null;
}

/**
 * `providerReference`: the provider's identifier of the license, if it reports one. `charged`: what a purchase cost us.
 * `accountProblem`: for the operator.
 */
interface ProviderSuccess {
  readonly kind: "succeeded";
  readonly providerReference?: string;
  readonly charged?: ProviderCharge;
  readonly accountProblem?: string;
}

/** The price is text in major units, as the provider writes it. */
export interface ProviderCharge {
  readonly price: string;
  readonly currency: string;
}

/** Why there is no response, counted by circuit breakers; absent if the provider responded. */
export type ProviderFault = "connection" | "time_out";

export type ProviderOutcome =
  | ProviderSuccess
  /**
   * An explicit rejection: nothing was done. `message` is for the customer, `accountProblem` for the operator, who has to
   * act, and `note` the provider's own words, for the operator to look up. `refusesAddress`: a live license has the address
   * there, which the rejection reveals (contract 1.12). `isReplayed`: it is the stored answer to an earlier request under
   * the same key, so a copy of that on its way gets it, too.
   */
  | {
      readonly kind: "rejected";
      readonly message: string;
      readonly accountProblem?: string;
      readonly note?: string;
      readonly refusesAddress?: boolean;
      readonly isReplayed?: boolean;
    }
  /** Never reached the provider, or it has no capacity for us: safe to retry. */
  | {
      readonly kind: "not_sent";
      readonly message: string;
      readonly fault?: ProviderFault;
      readonly accountProblem?: string;
      /** It is there and takes no more for the moment: retrying earlier is of no use. */
      readonly retryAfterMs?: number;
    }
  /** `maySend` returned false: nothing was sent, and the caller does not decide the outcome. */
  | { readonly kind: "withheld" }
  /** Timeout, reset, server error or unreadable response: it may or may not have been done. */
  | { readonly kind: "unknown"; readonly message: string; readonly fault?: ProviderFault };

export type ProviderLookUp =
  | ProviderSuccess
  | { readonly kind: "rejected"; readonly message: string }
  /** The provider has not seen it. `isVoid`: it will never carry it out. */
  | { readonly kind: "not_found"; readonly isVoid: boolean }
  | { readonly kind: "unreachable"; readonly message: string };

export type FindKnownReferences = (providerReferences: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface BookFacts {
  /** The provider's name of the product. */
  readonly product: string;
  readonly address: string;
  /** Null for a license without cores. */
  readonly cores: number | null;
  /** `pending`: the provider itself does not know yet. An expired license is active, with its term over. */
  readonly state: "active" | "suspended" | "terminated" | "pending";
  /** End of the term in UTC: an instant, or else a day. */
  readonly term: { readonly expiresAt: string } | { readonly expiresOn: string };
}

export interface ProviderBookEntry {
  /** Our reference, or `provider:<its identifier>` for a license that is not ours. */
  readonly reference: string;
  /** The provider's identifier of the license, if any. */
  readonly providerReference?: string;
  /** Every compared fact; undefined if these books do not report it, so it is not compared. */
  readonly facts: { readonly [Fact in ComparedFact]: BookFacts[Fact] | undefined };
}

/** A license's full record. */
export interface ProviderBookDetail {
  readonly providerReference: string;
  /** Our reference in the provider's record; null for a license that is not ours. */
  readonly reference: string | null;
  readonly facts: Omit<BookFacts, "product" | "term"> & { readonly term: { readonly expiresAt: string } };
}
