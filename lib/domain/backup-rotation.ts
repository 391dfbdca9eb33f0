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

export interface StoredBackup {
  readonly at: Date;
  readonly verified: boolean;
}

/** The backups to keep: of each of the last days, weeks and months that have one, the newest verified, else the newest. */
export function selectKeptBackups<Backup extends StoredBackup>(backups: readonly Backup[]): Set<Backup> {
  const newestFirst = backups.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const kept = new Set<Backup>();
  for (const unit of ["days", "weeks", "months"] as const) {
    const best = new Map<string, Backup>();
    for (const backup of newestFirst) {
      const period = periodOf[unit](backup.at);
      const newer = best.get(period);
      if (!newer && best.size === KEPT_BACKUPS[unit]) break;
      if (!newer || (backup.verified && !newer.verified)) best.set(period, backup);
    }
    for (const backup of best.values()) kept.add(backup);
  }
  return kept;
}

/** Whether a backup is due at `now`: no verified one is from after the last time it was `hour` o'clock in UTC. */
export function isBackupDue(backups: readonly StoredBackup[], now: Date, hour: number): boolean {
  const sinceThen = (now.getTime() - hour * HOUR_MS) % (24 * HOUR_MS);
  return !backups.some(({ at, verified }) => verified && isWithin(at, now, sinceThen));
}

/** Of the newest backup, or copy for the archive. */
export const isBackupOverdue = (at: Date, now: Date) => !isWithin(at, now, OVERDUE_MS);

function isWithin(at: Date, now: Date, ms: number): boolean {
  const age = now.getTime() - at.getTime();
  return age <= ms && age >= -CLOCK_SKEW_MS;
}
