import { describeEvent } from "#components/license/event-text.ts";
import type { Renewable } from "#lib/domain/renewal.ts";
import {
  type AgreedRenewalPrice,
  assessRenewalPrice,
  findPriceObstacle,
  type PriceObstacle,
  type PriceRules,
} from "#lib/domain/renewal-price.ts";

export function renewableHref({ kind, id }: Renewable): string {
  return kind === "license" ? `/licenses/${id}` : `/bundles/${id}`;
}

/** The automatic renewal of a license or bundle. `price`: minor units. */
export interface AutoRenewal {
  readonly on: boolean;
  readonly expiresAt: Date;
  /** The latest time of the renewal: so many days before the end, or once its price may be charged; now if that has passed. */
  readonly renewsAt: Date;
  /** Null: its cycle is no longer sold, so it cannot renew automatically. */
  readonly price: bigint | null;
  readonly currency: string;
  readonly months: number;
  /** The term has ended: too late to renew automatically. */
  readonly expired: boolean;
  /** The agreed price, if the price has risen above it; null otherwise. */
  readonly risenFrom: bigint | null;
  /** Turning it on agrees to another price than before, which turning it off does not take back. */
  readonly changesAgreement: boolean;
  /** Why the risen price is not charged before the term ends; null: it is. */
  readonly obstacle: PriceObstacle | null;
  /** Each reason why the present term has not renewed; none while it is off or an operation is open. */
  readonly failures: readonly RenewalFailureLine[];
  /** It failed, and each run of the worker tries again until the term ends: it is sold, at a price within the limits. */
  readonly retrying: boolean;
  /** Some cycle is sold, so it can be renewed manually. */
  readonly renewable: boolean;
}

export interface RenewalFailureLine {
  readonly reason: string;
  /** A reason that persists or recurs is reported once per term. */
  readonly firstAt: Date;
  /** For want of money. */
  readonly unpaid: boolean;
}

interface Renewing extends AgreedRenewalPrice {
  readonly autoRenew: boolean;
  readonly expiresAt: Date;
  readonly cycleMonths: number;
  readonly terminatedAt: Date | null;
  /** An operation on it is open: another is refused until it has ended. */
  readonly busy: boolean;
}

interface RenewalSettings {
  readonly currency: string;
  readonly renewAheadDays: number;
  readonly priceRules: PriceRules;
}

interface Failure {
  readonly at: Date;
  /** Of its `license.renewal_failed`. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** `reported`: of the present term of the license, or of one in the bundle; newest first. */
export function assessAutoRenewal(
  { autoRenew, expiresAt, cycleMonths, terminatedAt, busy, ...agreed }: Renewing,
  quotes: readonly { readonly current: boolean; readonly price: bigint }[],
  reported: readonly Failure[],
  { currency, renewAheadDays, priceRules }: RenewalSettings,
  now: Date,
): AutoRenewal {
  const { price = null } = quotes.find((quote) => quote.current) ?? {};
  const verdict = price === null ? null : assessRenewalPrice(price, agreed, priceRules, now);
  const chargeableFrom = autoRenew && verdict?.kind === "chargeable" ? verdict.from : null;
  const risen = price !== null && agreed.agreedPrice !== null && price > agreed.agreedPrice;
  const isDue = renewalDate(expiresAt, renewAheadDays, now) <= now;
  const failures = autoRenew && isDue && !busy && terminatedAt === null ? reported.map(describeFailure) : [];
  const expired = expiresAt <= now;
  return {
    on: autoRenew,
    expiresAt,
    renewsAt: renewalDate(expiresAt, renewAheadDays, chargeableFrom ?? now),
    price,
    currency,
    months: cycleMonths,
    expired,
    changesAgreement: price !== null && (price !== agreed.agreedPrice || agreed.announcedPrice !== null),
    risenFrom: risen ? agreed.agreedPrice : null,
    obstacle: verdict && findPriceObstacle(verdict, expiresAt),
    failures,
    retrying: failures.length > 0 && !expired && verdict?.kind === "chargeable" && chargeableFrom === null,
    renewable: quotes.length > 0,
  };
}

function describeFailure({ at, data }: Failure): RenewalFailureLine {
  const reason = describeEvent("license.renewal_failed", data).detail ?? "The renewal failed";
  return { reason, firstAt: at, unpaid: data.reason === "insufficient_balance" };
}

const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** When the worker renews what ends at `expiresAt`: `aheadDays` before, or at `earliest` when that has passed. */
function renewalDate(expiresAt: Date, aheadDays: number, earliest: Date): Date {
  return new Date(Math.max(expiresAt.getTime() - aheadDays * MS_PER_DAY, earliest.getTime()));
}
