import { invalidParameters } from "./errors.ts";

const MS_PER_SECOND = 1000;
const MS_PER_DAY = 24 * 60 * 60 * MS_PER_SECOND;

/** `anchoredAt` sets the day and time of day of each term's end; both have whole seconds. */
export interface Term {
  readonly anchoredAt: Date;
  readonly expiresAt: Date;
}

/** The contract's dates have four-digit years. */
const LAST_YEAR = 9999;

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

/**
 * The term of a new license. Timestamps have whole seconds (contract 1.10).
 * @throws DomainError `parameters_invalid` if it would end after the year 9999 (contract 3.16)
 */
export function firstTerm(now: Date, months: number): Term {
  return requireDatable(termFrom(now, months));
}

function termFrom(now: Date, months: number): Term {
  const anchoredAt = new Date(Math.floor(now.getTime() / MS_PER_SECOND) * MS_PER_SECOND);
  return { anchoredAt, expiresAt: addMonths(anchoredAt, months) };
}

/**
 * Extends from max(now, expiresAt) (contract 3.4): a running term keeps its anchor (31 January → 28 February → 31
 * March), an expired one is anchored at `now`.
 * @throws DomainError `parameters_invalid` if it would end after the year 9999 (contract 3.16)
 */
export function extendTerm(term: Term, months: number, now: Date): Term {
  return requireDatable(extended(term, months, now));
}

/** False if it would end after the year 9999. */
export function isExtendable(term: Term, months: number, now: Date): boolean {
  return isDatable(extended(term, months, now));
}

function extended(term: Term, months: number, now: Date): Term {
  if (term.expiresAt <= now) return termFrom(now, months);
  const { anchor, monthsToExpiry } = expiryFromAnchor(term);
  return { anchoredAt: anchor, expiresAt: addMonths(anchor, monthsToExpiry + months) };
}

function isDatable({ expiresAt }: Term): boolean {
  return expiresAt.getUTCFullYear() <= LAST_YEAR;
}

function requireDatable(term: Term): Term {
  if (isDatable(term)) return term;
  throw invalidParameters([
    { field: "cycle_id", kind: "malformed", message: `would make the term end after the year ${LAST_YEAR}` },
  ]);
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
