/** `2027-01-31T00:00:00Z`: UTC, whole seconds (contract 1.10). */
export function toTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, -".000Z".length)}Z`;
}

/** `2027-01-31`: the day in UTC (contract 1.10). */
export function toDay(date: Date): string {
  return date.toISOString().slice(0, -"T00:00:00.000Z".length);
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** `2027-01-31` → the first instant of that day in UTC; null for anything else, including days that do not exist. */
export function parseDay(text: string): Date | null {
  if (!dayPattern.test(text)) return null;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) || toDay(day) !== text ? null : day;
}

const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** End of a period whose last day (in UTC) is `day`. */
export function startOfNextDay(day: Date): Date {
  return new Date((Math.floor(day.getTime() / MS_PER_DAY) + 1) * MS_PER_DAY);
}

const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** `2027-01-31T00:00:00Z` → that instant; null for anything else, including times that do not exist (contract 1.10). */
export function parseTimestamp(text: string): Date | null {
  if (!timestampPattern.test(text)) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) || toTimestamp(at) !== text ? null : at;
}
