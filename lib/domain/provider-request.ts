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

/** Whether the provider charges for it whatever becomes of it later. */
export function isPurchase({ action }: ProviderRequest): boolean {
  return action === "provision" || action === "set_term";
}

/** Whether its rejection can reveal that the address has another license: the renewal of an expired one's, too. */
export function revealsAddress({ action, previousExpiresAt }: ProviderRequest, now: Date): boolean {
  if (action === "set_term") return previousExpiresAt !== null && new Date(previousExpiresAt) <= now;
  return action === "provision" || action === "set_address";
}

/** Plain JSON, stored with the operation. */
export interface ProviderRequest {
  readonly idempotencyKey: string;
  readonly action: ProviderAction;
  /** Our stable identifier of the license at the provider. */
  readonly reference: string;
  /** The provider's identifier of the license, once reported. */
  readonly providerReference: string | null;
  /** The provider's name of the product. */
  readonly product: string;
  /** The provider's name of the billing cycle, for requests that buy one. */
  readonly cycle: string | null;
  /** The license's address after the request. */
  readonly ipAddress: string;
  /** After the request. A new license starts with one core (contract 3.3); a separate request adds more. */
  readonly cores: number | null;
  /** End of the term after the request (UTC timestamp). */
  readonly expiresAt: string;
  /** End of the term before the request (UTC timestamp); null for a new license or when reverting a renewal. */
  readonly previousExpiresAt: string | null;
  /** Of a termination: whether the license was suspended before, so being suspended does not show that it was done. */
  readonly wasSuspended?: boolean;
  /** Position among the requests of a bundle. */
  readonly bundle?: { readonly position: number; readonly size: number };
}
