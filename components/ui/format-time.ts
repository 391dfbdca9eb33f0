import { dateFormat } from "#lib/domain/format-locale.ts";

/** `exact` has seconds; `short` no year, for the last weeks. */
export type TimestampFormat = "date" | "datetime" | "exact" | "short";

const styles = {
  date: { dateStyle: "medium" },
  datetime: { dateStyle: "medium", timeStyle: "short" },
  short: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
  exact: { dateStyle: "medium", timeStyle: "medium" },
} as const satisfies Record<TimestampFormat, Intl.DateTimeFormatOptions>;

const relative = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

/** Jan 31, 2027 or Jan 31, 2027, 2:05 PM; `zone` undefined is the reader's own. */
export function formatTime(at: Date, format: TimestampFormat, zone: string | undefined): string {
  return dateFormat({ ...styles[format], timeZone: zone }).format(at);
}

const monthStyles = { long: { month: "long", year: "numeric" }, short: { month: "short" } } as const;

/** November 2026 or Nov, of a month in UTC. */
export function monthText(month: Date, style: keyof typeof monthStyles): string {
  return dateFormat({ ...monthStyles[style], timeZone: "UTC" }).format(month);
}

/** 2026-11-21 → Nov 21, 2026: a day is the same in every zone. */
export function formatDay(day: string): string {
  return formatTime(new Date(day), "date", "UTC");
}

/** `slackSeconds`: how much may be missing from a unit ahead, so that a term of 30 days still ends in 30 after a moment. */
const units = [
  { unit: "year", seconds: 31_557_600, slackSeconds: 86_400 },
  { unit: "month", seconds: 2_629_800, slackSeconds: 86_400 },
  { unit: "day", seconds: 86_400, slackSeconds: 3_600 },
  { unit: "hour", seconds: 3_600, slackSeconds: 60 },
  { unit: "minute", seconds: 60, slackSeconds: 0 },
] as const;

/** "in 12 days", "3 hours ago", "just now": the largest unit of which there is at least one, in complete units. */
export function formatRelative(at: Date, nowMs: number): string {
  const seconds = (at.getTime() - nowMs) / 1_000;
  const fitting = units.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  if (fitting !== undefined) {
    const slack = seconds > 0 ? fitting.slackSeconds : 0;
    return relative.format(Math.trunc((seconds + slack) / fitting.seconds), fitting.unit);
  }
  return seconds > 0 ? "now" : "just now";
}
