import { addMonths, expiryFromAnchor, type Term } from "./term.ts";
import { parseDay, startOfNextDay } from "./times.ts";

const MS_PER_DAY = 24 * 60 * 60 * 1000;
const MS_PER_SECOND = 1000;

/**
 * How a provider determines the end of a term. `asked`: as requested, to the second. `counted`: from its own clock and
 * day of issue.
 */
export type TermBasis = "asked" | "counted";

/**
 * Tolerated difference between a counted end and ours. A few seconds between two clocks can put two anchors on either
 * side of midnight, and months of 28 to 31 days then end up to 3 days apart; clock drift and the hour of renewal add
 * less than one. The shortest cycle is 28 days, so a lost or late renewal always exceeds it.
 */
const COUNTED_TOLERANCE_DAYS = 4;

export const termToleranceMs = { asked: 0, counted: COUNTED_TOLERANCE_DAYS * MS_PER_DAY } as const satisfies Record<
  TermBasis,
  number
>;

/** The end of a term as a provider reports it: an instant, or else a day in UTC; both null if it reports none. */
export interface ReportedEnd {
  readonly expires_at: string | null;
  readonly expires_on: string | null;
}

/** First and last instant that the report can mean; null if it reports none. */
function rangeOf({ expires_at, expires_on }: ReportedEnd): { readonly from: number; readonly until: number } | null {
  if (expires_at !== null) {
    const at = Date.parse(expires_at);
    return { from: at, until: at };
  }
  const day = expires_on === null ? null : parseDay(expires_on);
  return day === null ? null : { from: day.getTime(), until: startOfNextDay(day).getTime() - MS_PER_SECOND };
}

/** The reported instant, or the first of the reported day; null if it reports none. */
export function reportedEnd(reported: ReportedEnd): Date | null {
  const range = rangeOf(reported);
  return range === null ? null : new Date(range.from);
}

/** Where the provider's term ends relative to ours; null if it reports no end. */
export function compareEnd(ours: Date, reported: ReportedEnd, basis: TermBasis): "same" | "earlier" | "later" | null {
  const range = rangeOf(reported);
  if (range === null) return null;
  const end = Math.floor(ours.getTime() / MS_PER_SECOND) * MS_PER_SECOND;
  if (range.until < end - termToleranceMs[basis]) return "earlier";
  return range.from > end + termToleranceMs[basis] ? "later" : "same";
}

/**
 * Our term after adopting the provider's end. An end within the tolerance of our own counting becomes the counted end,
 * so the term keeps its anchor. Any other is taken as reported, a day at the hour of our current end.
 * @param months of the license's cycle, for the anchor of a term that ended before the current anchor
 */
export function adoptEnd(
  { issuedAt, months, ...ours }: Term & { readonly issuedAt: Date; readonly months: number },
  reported: ReportedEnd,
  basis: TermBasis,
): Term | null {
  const range = rangeOf(reported);
  if (range === null) return null;
  const hour = ours.expiresAt.getTime() % MS_PER_DAY;
  const expiresAt =
    countedEnd(ours, reported, basis) ?? new Date(reported.expires_at === null ? range.from + hour : range.from);
  if (expiresAt > ours.anchoredAt) return { anchoredAt: ours.anchoredAt, expiresAt };
  const start = addMonths(expiresAt, -months);
  return { anchoredAt: issuedAt < expiresAt && issuedAt > start ? issuedAt : start, expiresAt };
}

/** Whole cycles between our end and the provider's, in either direction; null if not a whole number. */
export function cyclesBetween(
  ours: Term,
  { reported, months, basis }: { readonly reported: ReportedEnd; readonly months: number; readonly basis: TermBasis },
): number | null {
  const end = countedEnd(ours, reported, basis);
  if (end === null) return null;
  const cycles = Math.abs(monthsBetween(ours.expiresAt, end)) / months;
  return Number.isInteger(cycles) ? cycles : null;
}

/** The end of the term before an extension by `months`. */
export function endBefore(term: Term, months: number): Date {
  const { anchor, monthsToExpiry } = expiryFromAnchor(term);
  return addMonths(anchor, monthsToExpiry - months);
}

/** The end a whole number of months from our anchor that matches the provider's report. */
function countedEnd(ours: Term, reported: ReportedEnd, basis: TermBasis): Date | null {
  const range = rangeOf(reported);
  if (range === null) return null;
  const { anchor } = expiryFromAnchor(ours);
  const near = monthsBetween(anchor, new Date(range.from));
  const ends = [near - 1, near, near + 1].map((months) => addMonths(anchor, months));
  const matching = ends.filter((end) => compareEnd(end, reported, basis) === "same");
  const distance = (end: Date) => Math.abs(end.getTime() - range.from);
  return matching.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

function monthsBetween(from: Date, to: Date): number {
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}
