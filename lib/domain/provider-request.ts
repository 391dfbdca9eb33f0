export const providerActions = [
  "provision",
  "set_term",
  "set_address",
  "set_cores",
  "suspend",
  "unsuspend",
  "terminate",
] as const;
export type ProviderAction = (typeof providerActions)[number];

/** Plain JSON: requests are stored with the operation and sent from there. */
export interface ProviderRequest {
  readonly idempotencyKey: string;
  readonly action: ProviderAction;
  /** Our stable name of the license at the provider. */
  readonly reference: string;
  /** The provider's own name of the license, where it has told one. */
  readonly providerReference: string | null;
  /** The provider's name of the product. */
  readonly product: string;
  /** The provider's name of the billing cycle, for requests that buy one. */
  readonly cycle: string | null;
  /** The license's address after the request. */
  readonly ipAddress: string;
  /** After the request. A new license starts with one (contract 3.3); more are a request of their own. */
  readonly cores: number | null;
  /** UTC timestamp of the term's end after the request. */
  readonly expiresAt: string;
  /** UTC timestamp of the term's end before it; null for a new license, and where a renewal is to be taken back. */
  readonly previousExpiresAt: string | null;
  /** Which member of how many, where the request is part of a bundle. */
  readonly bundle?: { readonly position: number; readonly size: number };
}
