import { z } from "zod";
import { dayText, money } from "./blocks.ts";
import { amount, license, licenseLine } from "./fields.ts";

export const expiringLicense = z.object({
  ...license,
  auto_renew: z.boolean(),
  /** Of its renewal, if it has risen. */
  price: amount.optional(),
  previous_price: amount.nullish(),
  currency: z.string().default(""),
  /** Null: auto-renew never charges the price. */
  charged_from: z.string().nullish(),
});
type ExpiringLicense = z.output<typeof expiringLicense>;

export function renewsAutomatically({ auto_renew, price, charged_from }: ExpiringLicense): boolean {
  return auto_renew && (price === undefined || Boolean(charged_from));
}

export function expiryHeading(item: ExpiringLicense, count: number): string {
  const day = dayText(item.expires_at);
  const [expire, renew] = count === 1 ? ["Expires", "Renews"] : ["Expire", "Renew"];
  if (!item.auto_renew) return `${expire} on ${day}:`;
  if (item.price === undefined) return `${renew} automatically before ${day}:`;
  return renewsAutomatically(item)
    ? `${renew} automatically before ${day} at a higher price:`
    : `${expire} on ${day}, because auto-renew does not accept the higher price:`;
}

export function expiryLine({ price, previous_price, currency, ...license }: ExpiringLicense): string {
  if (price === undefined) return licenseLine(license);
  const before = previous_price ? ` instead of ${money(previous_price, currency)}` : "";
  return `${licenseLine(license)}: ${money(price, currency)}${before}`;
}
