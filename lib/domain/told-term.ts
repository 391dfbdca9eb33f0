import { addMonths, expiryFromAnchor, type Term } from "./term.ts";
import { parseDay, startOfNextDay } from "./times.ts";

const MS_PER_DAY = 24 * 60 * 60 * 1000;
const MS_PER_SECOND = 1000;

/**
 * How a provider keeps terms. `asked`: a term ends where our request says, to the second. `counted`: the provider counts
 * terms from its own clock and its own day of issue.
 */
export type TermKeeping = "asked" | "counted";

/**
 * How far a counted end may be from ours without being a difference. A few seconds between two clocks put two anchors on
 * either side of midnight, and months of 28 to 31 days then end up to 3 days apart; the clocks and the hour of a renewal
 * that meets one term expired and the other not add less than one. The shortest cycle is 28 days, so a lost or late
 * renewal always exceeds it.
 */
const COUNTED_TOLERANCE_DAYS = 4;

export const termToleranceMs = { asked: 0, counted: COUNTED_TOLERANCE_DAYS * MS_PER_DAY } as const satisfies Record<
  TermKeeping,
  number
>;

/** The end of a term as a provider reports it: the instant, else the day in UTC; both null where it reports none. */
export interface ToldEnd {
  readonly expires_at: string | null;
  readonly expires_on: string | null;
}

/** The first and last instants that the report can mean; null where it reports none. */
function rangeOf({ expires_at, expires_on }: ToldEnd): { readonly from: number; readonly until: number } | null {
  if (expires_at !== null) {
    const at = Date.parse(expires_at);
    return { from: at, until: at };
  }
  const day = expires_on === null ? null : parseDay(expires_on);
  return day === null ? null : { from: day.getTime(), until: startOfNextDay(day).getTime() - MS_PER_SECOND };
}

/** The instant that a report means, of a day its first; null where it reports none. */
export function endOf(told: ToldEnd): Date | null {
  const range = rangeOf(told);
  return range === null ? null : new Date(range.from);
}

/** Where the provider's term ends, compared with ours; null where it reports no end. */
export function compareEnd(ours: Date, told: ToldEnd, keeping: TermKeeping): "same" | "earlier" | "later" | null {
  const range = rangeOf(told);
  if (range === null) return null;
  const end = Math.floor(ours.getTime() / MS_PER_SECOND) * MS_PER_SECOND;
  if (range.until < end - termToleranceMs[keeping]) return "earlier";
  return range.from > end + termToleranceMs[keeping] ? "later" : "same";
}

/**
 * Our term when the provider's end is adopted. An end that our own counting gives within the tolerance is taken as we
 * count it, so that the term keeps its anchor; any other as reported, a day at the hour of our present end.
 * @param months of the license's cycle: the anchor of a term that ended before the present anchor
 */
export function adoptEnd(
  { issuedAt, months, ...ours }: Term & { readonly issuedAt: Date; readonly months: number },
  told: ToldEnd,
  keeping: TermKeeping,
): Term | null {
  const range = rangeOf(told);
  if (range === null) return null;
  const hour = ours.expiresAt.getTime() % MS_PER_DAY;
  const expiresAt =
    countedEnd(ours, told, keeping) ?? new Date(told.expires_at === null ? range.from + hour : range.from);
  if (expiresAt > ours.anchoredAt) return { anchoredAt: ours.anchoredAt, expiresAt };
  const start = addMonths(expiresAt, -months);
  return { anchoredAt: issuedAt < expiresAt && issuedAt > start ? issuedAt : start, expiresAt };
}

/** How many whole cycles lie between our end and the provider's, either way; null where it is not a whole number. */
export function cyclesBetween(
  ours: Term,
  { told, months, keeping }: { readonly told: ToldEnd; readonly months: number; readonly keeping: TermKeeping },
): number | null {
  const end = countedEnd(ours, told, keeping);
  if (end === null) return null;
  const cycles = Math.abs(monthsBetween(ours.expiresAt, end)) / months;
  return Number.isInteger(cycles) ? cycles : null;
}

/** Where a term ended before it was extended by so many months. */
export function endBefore(term: Term, months: number): Date {
  const { anchor, monthsToExpiry } = expiryFromAnchor(term);
  return addMonths(anchor, monthsToExpiry - months);
}

/** The end that a whole number of months from our anchor gives, where the provider's report can mean it. */
function countedEnd(ours: Term, told: ToldEnd, keeping: TermKeeping): Date | null {
  const range = rangeOf(told);
  if (range === null) return null;
  const { anchor } = expiryFromAnchor(ours);
  const near = monthsBetween(anchor, new Date(range.from));
  const ends = [near - 1, near, near + 1].map((months) => addMonths(anchor, months));
  const matching = ends.filter((end) => compareEnd(end, told, keeping) === "same");
  const distance = (end: Date) => Math.abs(end.getTime() - range.from);
  return matching.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

function monthsBetween(from: Date, to: Date): number {
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}
