import { DomainError } from "./errors.ts";
import { type Currency, formatMoney } from "./money.ts";

/** The caller agreed to another price, so nothing happens (contract 3.15). */
export function priceChanged(price: bigint, currency: Currency): DomainError {
  const message = `The price has changed: this now costs ${formatMoney(price, currency)}.`;
  return new DomainError("price_changed", message, { amounts: { price, currency } });
}

/** @param missing above zero */
export function insufficientBalance(price: bigint, missing: bigint, currency: Currency): DomainError {
  const money = (minor: bigint) => formatMoney(minor, currency);
  const message = `Not enough balance: ${money(price)} is needed and ${money(price - missing)} is available. Top up ${money(missing)}.`;
  return new DomainError("insufficient_balance", message, { amounts: { price, missing, currency } });
}

/** The same message some time after the refusal: what to top up depends on the balance of then. */
export function pastInsufficientBalance(message: string, seesWallet: boolean): string {
  return message.replace(/ and (.*) is available\. Top up .*$/, seesWallet ? " and $1 was available." : ".");
}

/** Minor units: the monthly limit of an API key, what it has spent this month, and what this would cost. */
export function spendingLimitReached(
  { limit, spent, price }: { readonly limit: bigint; readonly spent: bigint; readonly price: bigint },
  currency: Currency,
): DomainError {
  const money = (minor: bigint) => formatMoney(minor, currency);
  const message = `This API key may spend ${money(limit)} a month and has spent ${money(spent)}: ${money(price)} more is beyond its limit. Raise the limit, or wait for the next month (UTC).`;
  return new DomainError("spending_limit_reached", message);
}
