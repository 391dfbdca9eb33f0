import type { Renewal } from "./renewal.ts";

const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** How far a balance carries a calendar of renewals. */
export interface Runway<R extends Renewal> {
  /** The first renewal that the balance cannot pay is due then: until that instant everything is paid. Null: all is. */
  readonly coversUntil: Date | null;
  /** What ends unrenewed, in the order of the calendar; of each its first renewal that cannot be paid. */
  readonly lapses: readonly R[];
  /** What the balance pays, in the order of the calendar. */
  readonly paid: readonly R[];
}

/**
 * Pays renewals in the order of the calendar (`compareRenewals`) as the worker does: what the rest of the balance
 * cannot pay lapses, with all its later renewals, and does not stop those behind it. Without a price nothing renews.
 * @param balance minor units; what can be spent
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
 * Minor units that the balance lacks to pay everything due within so many days. What has no price cannot be paid by
 * any top-up and is left out.
 */
export function topUpNeeded(balance: bigint, calendar: readonly Renewal[], now: Date, days: number): bigint {
  const untilMs = now.getTime() + days * MS_PER_DAY;
  const total = calendar.reduce(
    (sum, { dueAt, price }) => (dueAt.getTime() <= untilMs ? sum + (price ?? 0n) : sum),
    0n,
  );
  return total > balance ? total - balance : 0n;
}

/** What falls due on one day (UTC). */
export interface RunwayDay<R extends Renewal> {
  /** Its first instant. */
  readonly day: Date;
  readonly paid: readonly R[];
  readonly lapses: readonly R[];
}

/** A runway day by day, earliest first, without the days on which nothing falls due. */
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
