import type { PriceAnnouncement } from "#lib/db/renewal/event.ts";
import type { RenewalRules } from "#lib/db/renewal/renewable.ts";
import { type Currency, toMajorNumber } from "#lib/domain/money.ts";
import {
  type AgreedRenewalPrice,
  assessRenewalPrice,
  findPriceObstacle,
  type PriceVerdict,
} from "#lib/domain/renewal-price.ts";
import { toTimestamp } from "#lib/domain/times.ts";

/** A renewable at today's price. */
interface Priced extends AgreedRenewalPrice {
  readonly kind: "license" | "bundle";
  readonly id: number;
  readonly version: string;
  readonly expiresAt: Date;
  readonly price: bigint | null;
  readonly currency: Currency;
}

export interface PriceAssessment {
  readonly verdict: PriceVerdict;
  /** The price prevents its renewal before the term ends. */
  readonly blocked: boolean;
}

/** Null: it has no price and does not renew. */
export function assessRenewable(row: Priced, rules: RenewalRules, now: Date): PriceAssessment | null {
  if (row.price === null) return null;
  const verdict = assessRenewalPrice(row.price, row, rules, now);
  return { verdict, blocked: findPriceObstacle(verdict, row.expiresAt) !== null };
}

/** The price fields of events (events.md#kinds-of-events). */
export function priceData({ price, agreedPrice, currency }: Priced) {
  return {
    price: price === null ? null : toMajorNumber(price, currency),
    previous_price: agreedPrice === null ? null : toMajorNumber(agreedPrice, currency),
    currency,
  };
}

/** Empty unless the price has to be announced. */
export function announcementOf(row: Priced, assessment: PriceAssessment | null, now: Date): PriceAnnouncement[] {
  if (row.price === null || !assessment?.verdict.announce) return [];
  const { verdict, blocked } = assessment;
  const chargedFrom = verdict.kind === "chargeable" ? (verdict.from ?? now) : null;
  const { kind, id, version, price, expiresAt } = row;
  const data = {
    expires_at: toTimestamp(expiresAt),
    auto_renew: true,
    ...priceData(row),
    charged_from: blocked || chargedFrom === null ? null : toTimestamp(chargedFrom),
  };
  return [{ kind, id, version, price, data }];
}
