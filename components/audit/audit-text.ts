import { majorMoneyText, moneyText } from "#components/ui/money-text.ts";
import type { AuditAction } from "#lib/domain/audit.ts";

const prices = ["price", "setup_fee", "setupFee", "price_per_core", "pricePerCore"];

/** What an entry holds in minor units; every other amount is decimal text in major units with its currency beside it. */
const minorFields = {
  "api_key.set_spending_limit": ["limit"],
  "bundle.set_auto_renew": ["agreedPrice"],
  "catalog.create_cycle": prices,
  "catalog.remove_price": prices,
  "catalog.remove_reseller_price": prices,
  "catalog.set_price": prices,
  "catalog.set_reseller_price": prices,
  "license.set_auto_renew": ["agreedPrice"],
  "wallet.decide_top_up": ["amount"],
  "wallet.request_top_up": ["amount"],
  "wallet.set_low_balance_threshold": ["threshold"],
} as const satisfies Partial<Record<AuditAction, readonly string[]>> as Readonly<Record<string, readonly string[]>>;

/** Fields whose form has another name for them. */
const fieldNames: Readonly<Record<string, string>> = {
  expiringSoonDays: "days of notice",
  renewAheadDays: "auto-renew lead time (days)",
};

/** `dailyLimit`, `old_expires_at` → "daily limit", "old expires at". */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return fieldNames[name] ?? words;
}

/**
 * A value of an entry's data, in words.
 * @param currency of amounts in minor units; null: not known
 */
export function valueText(
  value: unknown,
  of: { readonly action: string; readonly field: string; readonly currency: string | null },
): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((one) => valueText(one, of)).join(", ");
  if (typeof value === "object") {
    const parts = Object.entries(value).map(
      ([field, part]) => `${wordsOf(field)} ${valueText(part, { ...of, field })}`,
    );
    return parts.length === 0 ? "nothing" : parts.join(", ");
  }
  // The names of changed fields.
  if (of.field === "changed") return wordsOf(String(value));
  const text = String(value);
  const isMinor = minorFields[of.action]?.includes(of.field) && /^-?\d{1,18}$/.test(text);
  if (of.currency === null) return text;
  if (isMinor) return moneyText(text, of.currency);
  return of.field === "amount" ? majorMoneyText(text, of.currency) || text : text;
}
