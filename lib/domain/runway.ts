import type { Currency } from "./money.ts";
import type { ProjectedBalance } from "./projected-balance.ts";
import type { Renewal } from "./renewal.ts";
import type { AgreedRenewalPrice, PriceObstacle } from "./renewal-price.ts";

const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** How long a balance covers a calendar of renewals. */
export interface Runway<R extends Renewal> {
  /** Due date of the first renewal that the balance cannot pay; null if it pays all that have a price. */
  readonly coversUntil: Date | null;
  /** What expires, in calendar order: of each, the first renewal that cannot be paid. */
  readonly lapses: readonly R[];
  /** Renewals that the balance pays, in calendar order. */
  readonly paid: readonly R[];
}

/**
 * Pays renewals in calendar order (`compareRenewals`), like the worker: one that the remaining balance cannot pay
 * lapses with all its later renewals, without stopping others. Without a price nothing renews.
 * @param balance available balance in minor units
 */
export function computeRunway<R extends Renewal>(balance: bigint, calendar: readonly R[]): Runway<R> {
  const lapsed = new Set<string>();
  const lapses: R[] = [];
  const paid: R[] = [];
  let rest = balance;
  for (const renewal of calendar) {
    const name = `${renewal.kind}:${renewal.id}`;
    if (lapsed.has(name)) continue;
    if (renewal.price !== null && renewal.price <= rest) {
      rest -= renewal.price;
      paid.push(renewal);
    } else {
      lapsed.add(name);
      lapses.push(renewal);
    }
  }
  return { coversUntil: lapses.find(({ price }) => price !== null)?.dueAt ?? null, lapses, paid };
}

/**
 * Minor units missing to pay everything due within `days`. Renewals without a price are left out: no top-up can pay
 * them.
 */
export function topUpNeeded(balance: bigint, calendar: readonly Renewal[], now: Date, days: number): bigint {
  const untilMs = now.getTime() + days * MS_PER_DAY;
  const total = calendar.reduce(
    (sum, { dueAt, price }) => (dueAt.getTime() <= untilMs ? sum + (price ?? 0n) : sum),
    0n,
  );
  return total > balance ? total - balance : 0n;
}

/** Renewals due on one day (UTC). */
export interface RunwayDay<R extends Renewal> {
  /** First instant of the day. */
  readonly day: Date;
  readonly paid: readonly R[];
  readonly lapses: readonly R[];
}

/** Groups a runway by day, earliest first; days without renewals are omitted. */
export function runwayByDay<R extends Renewal>({ paid, lapses }: Runway<R>): RunwayDay<R>[] {
  const days = new Map<number, { paid: R[]; lapses: R[] }>();
  const put = (renewal: R, where: "paid" | "lapses") => {
    const dayMs = Math.floor(renewal.dueAt.getTime() / MS_PER_DAY) * MS_PER_DAY;
    const day = days.get(dayMs) ?? { paid: [], lapses: [] };
    day[where].push(renewal);
    days.set(dayMs, day);
  };
  for (const renewal of paid) put(renewal, "paid");
  for (const renewal of lapses) put(renewal, "lapses");
  return [...days].toSorted(([a], [b]) => a - b).map(([dayMs, day]) => ({ day: new Date(dayMs), ...day }));
}

/** Minor units of the runway's currency. `dueAt`: the end of the preceding term. */
export interface ComingRenewal extends Renewal {
  /** Product or bundle, and where it runs. */
  readonly label: string;
}

/** A renewal whose price has risen above the agreed one. */
export interface RisenRenewal extends ComingRenewal, Pick<AgreedRenewalPrice, "agreedPrice"> {
  /** Why it will not renew before its term ends; null: it will. */
  readonly obstacle: PriceObstacle | null;
}

/** Renewals due on one UTC day; `sum` in minor units, including lapses. */
export interface RenewalDay {
  readonly day: Date;
  readonly count: number;
  readonly sum: bigint;
  readonly lapseCount: number;
  /** The first few labels, lapses first. */
  readonly labels: readonly string[];
}

/** Money in minor units of `currency`. */
export interface WalletRunway {
  readonly currency: Currency;
  readonly spendable: bigint;
  readonly horizonDays: number;
  /** Renewals within the horizon that have a price that does not block them, at today's prices. */
  readonly renewalCount: number;
  readonly renewalSum: bigint;
  /** The balance pays every renewal until then; null: to the end of the horizon. */
  readonly coversUntil: Date | null;
  /** The first hundred that would lapse, and their total number. */
  readonly lapses: readonly ComingRenewal[];
  readonly lapseCount: number;
  /** Those that lapse because their cycle is no longer sold, whatever the balance. */
  readonly unsoldCount: number;
  /** Renewals with a risen price: the first hundred, blocked ones first. */
  readonly risen: readonly RisenRenewal[];
  readonly risenCount: number;
  /** The blocked ones among them. */
  readonly blockedCount: number;
  /** Days with renewals. What has lapsed does not recur. */
  readonly days: readonly RenewalDay[];
  readonly projected: readonly ProjectedBalance[];
  /** When a large reseller's runway was computed; null: now. */
  readonly computedAt: Date | null;
  /** The top-up that pays all renewals within so many days. */
  readonly topUpNeeded: { readonly days30: bigint; readonly days60: bigint; readonly days90: bigint };
}
