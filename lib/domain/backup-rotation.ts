import { toDay } from "./times.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** The first Monday since 1970. */
const FIRST_MONDAY_MS = Date.UTC(1970, 0, 5);

/** From then on, a daily backup, or copy for the archive, is overdue. */
const OVERDUE_MS = 26 * HOUR_MS;
/** A date further ahead was written by a clock that was wrong, and says nothing about today. */
const CLOCK_SKEW_MS = 60_000;

/** How many of each are kept. */
const KEPT_BACKUPS = { days: 7, weeks: 4, months: 12 };

/** The period that an instant belongs to, in UTC. */
const periodOf = {
  days: toDay,
  weeks: (at: Date) => String(Math.floor((at.getTime() - FIRST_MONDAY_MS) / WEEK_MS)),
  months: (at: Date) => toDay(at).slice(0, "2027-01".length),
};

/** The backups to keep: the newest of each of the last days, weeks and months that have one. */
export function selectKeptBackups(times: readonly Date[]): Set<Date> {
  const newestFirst = times.toSorted((a, b) => b.getTime() - a.getTime());
  const kept = new Set<Date>();
  for (const unit of ["days", "weeks", "months"] as const) {
    const periods = new Set<string>();
    for (const at of newestFirst) {
      const period = periodOf[unit](at);
      if (periods.has(period)) continue;
      if (periods.size === KEPT_BACKUPS[unit]) break;
      periods.add(period);
      kept.add(at);
    }
  }
  return kept;
}

/** Whether a backup is due at `now`: none is from after the last time it was `hour` o'clock in UTC. */
export function isBackupDue(times: readonly Date[], now: Date, hour: number): boolean {
  const sinceThen = (now.getTime() - hour * HOUR_MS) % (24 * HOUR_MS);
  return !times.some((at) => isWithin(at, now, sinceThen));
}

/** Of the newest backup, or copy for the archive. */
export const isBackupOverdue = (at: Date, now: Date) => !isWithin(at, now, OVERDUE_MS);

function isWithin(at: Date, now: Date, ms: number): boolean {
  const age = now.getTime() - at.getTime();
  return age <= ms && age >= -CLOCK_SKEW_MS;
}
