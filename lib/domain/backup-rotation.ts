import { toDay } from "./times.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** The first Monday since 1970. */
const FIRST_MONDAY_MS = Date.UTC(1970, 0, 5);

/** A daily backup, or copy for the archive, that is older than this is overdue. */
export const BACKUP_OVERDUE_MS = 26 * HOUR_MS;

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

/** Whether a backup is due at `now`: the newest one is from before the last time it was `hour` o'clock in UTC. */
export function isBackupDue(newest: Date | null, now: Date, hour: number): boolean {
  const sinceThen = (now.getTime() - hour * HOUR_MS) % (24 * HOUR_MS);
  return newest === null || newest.getTime() < now.getTime() - sinceThen;
}
