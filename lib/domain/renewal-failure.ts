import type { RenewalFailureReason } from "./renewal.ts";

const texts: Readonly<Record<RenewalFailureReason, string>> = {
  insufficient_balance: "not enough balance",
  no_price: "the billing cycle is no longer sold",
  price_limit: "the price is above your auto-renew limit",
  provider_failed: "the provider refused or was not reached",
};

/** Why a renewal failed, as part of a sentence. */
export function describeRenewalFailure(reason: string): string {
  return Object.hasOwn(texts, reason) ? texts[reason as RenewalFailureReason] : reason.replaceAll("_", " ");
}
