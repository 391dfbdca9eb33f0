import type { Currency } from "./money.ts";
import type { Renewal } from "./renewal.ts";
import type { AgreedRenewalPrice, PriceObstacle } from "./renewal-price.ts";

const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** How long a balance covers a calendar of renewals. */
export interface Runway<R extends Renewal> {
  /** Due date of the first renewal that the balance cannot pay; null if it pays all. */
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
  return { coversUntil: lapses[0]?.dueAt ?? null, lapses, paid };
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

/** Minor units of the runway's currency. `dueAt`: the end of the term that it follows. */
export interface ComingRenewal extends Renewal {
  /** Product or bundle, and where it runs. */
  readonly label: string;
}

/** One whose price has risen above what was agreed to. */
export interface RisenRenewal extends ComingRenewal, Pick<AgreedRenewalPrice, "agreedPrice"> {
  /** Why it is not renewed before its term ends; null: it is, once the notice is over. */
  readonly obstacle: PriceObstacle | null;
}

/** What falls due on one day (UTC); `sum` in minor units, lapses included. */
export interface RenewalDay {
  readonly day: Date;
  readonly count: number;
  readonly sum: bigint;
  readonly lapseCount: number;
  /** The first few of them, those that lapse before the others. */
  readonly labels: readonly string[];
}

/** Money in minor units of `currency`. */
export interface WalletRunway {
  readonly currency: Currency;
  readonly spendable: bigint;
  /** How far ahead it looks. */
  readonly horizonDays: number;
  /** What falls due within the horizon and is not blocked by its price, at today's prices. */
  readonly renewalCount: number;
  readonly renewalSum: bigint;
  /** Until then the balance pays every renewal; null: to the end of the horizon. */
  readonly coversUntil: Date | null;
  /** The first hundred of what would end unrenewed, and how many there are. */
  readonly lapses: readonly ComingRenewal[];
  readonly lapseCount: number;
  /** Those whose price has risen: the first hundred, the blocked ones before the others. */
  readonly risen: readonly RisenRenewal[];
  readonly risenCount: number;
  /** Of them, those that are not renewed at this price. */
  readonly blockedCount: number;
  /** The days of the horizon on which something falls due; what has lapsed before does not come again. */
  readonly days: readonly RenewalDay[];
  /** When that of a large account was computed; null: now. */
  readonly computedAt: Date | null;
  /** What must be topped up for every renewal of so many days. */
  readonly topUpNeeded: { readonly days30: bigint; readonly days60: bigint; readonly days90: bigint };
}
