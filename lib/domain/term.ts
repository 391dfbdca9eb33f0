const MS_PER_SECOND = 1000;
const MS_PER_DAY = 24 * 60 * 60 * MS_PER_SECOND;

/** `anchoredAt` sets the day and time of day of each term's end; both have whole seconds. */
export interface Term {
  readonly anchoredAt: Date;
  readonly expiresAt: Date;
}

const MONTHS_AHEAD = 300;

/** Adds calendar months in UTC, clamped to the last day of the month: 31 January + 1 → 28 February (contract 3.4). */
export function addMonths(anchor: Date, months: number): Date {
  const monthCount = anchor.getUTCFullYear() * 12 + anchor.getUTCMonth() + months;
  const year = Math.floor(monthCount / 12);
  const month = monthCount - year * 12;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const result = new Date(anchor);
  result.setUTCFullYear(year, month, Math.min(anchor.getUTCDate(), lastDay));
  return result;
}

/** The term of a new license. Timestamps have whole seconds (contract 1.10). */
export function firstTerm(now: Date, months: number): Term {
  const anchoredAt = new Date(Math.floor(now.getTime() / MS_PER_SECOND) * MS_PER_SECOND);
  return { anchoredAt, expiresAt: addMonths(anchoredAt, months) };
}

/**
 * Extends from max(now, expiresAt) (contract 3.4): a running term keeps its anchor (31 January → 28 February → 31
 * March), an expired one is anchored at `now`.
 */
export function extendTerm(term: Term, months: number, now: Date): Term {
  if (term.expiresAt <= now) return firstTerm(now, months);
  const { anchor, monthsToExpiry } = expiryFromAnchor(term);
  return { anchoredAt: anchor, expiresAt: addMonths(anchor, monthsToExpiry + months) };
}

/** False if it ends more than 25 years ahead: each paid term ahead makes a change of cores dearer (contract 3.16). */
export function isExtendable({ expiresAt }: Pick<Term, "expiresAt">, now: Date): boolean {
  return expiresAt <= addMonths(now, MONTHS_AHEAD);
}

/** Whole days until `expiresAt`, rounded up: 1 during the last day, 0 when past. */
export function daysRemaining(expiresAt: Date, now: Date): number {
  const msRemaining = expiresAt.getTime() - now.getTime();
  return msRemaining <= 0 ? 0 : Math.ceil(msRemaining / MS_PER_DAY);
}

/** An end that does not follow from the anchor (set manually or imported) becomes the new anchor. */
export function expiryFromAnchor({ anchoredAt, expiresAt }: Term): { anchor: Date; monthsToExpiry: number } {
  const years = expiresAt.getUTCFullYear() - anchoredAt.getUTCFullYear();
  const months = years * 12 + expiresAt.getUTCMonth() - anchoredAt.getUTCMonth();
  return addMonths(anchoredAt, months).getTime() === expiresAt.getTime()
    ? { anchor: anchoredAt, monthsToExpiry: months }
    : { anchor: expiresAt, monthsToExpiry: 0 };
}
