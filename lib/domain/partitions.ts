import { keptMs } from "./retention.ts";

/** Tables that only grow, divided by time: rows older than `keptMs` are removed with their partition. */
export interface PartitionedTable {
  readonly name: string;
  /** The column that a row's partition follows from. */
  readonly time: string;
  readonly keptMs: number;
}

/** Times from `from`, before `until`. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
}

const DAY_MS = 86_400_000;

export const partitionedTables: readonly PartitionedTable[] = [
  { name: "verifications", time: "checked_at", keptMs: keptMs("verifications") },
  { name: "api_requests", time: "started_at", keptMs: keptMs("apiRequests") },
];

/** A partition has a week, from Monday 00:00 UTC. */
const PERIOD_MS = 7 * DAY_MS;
const A_MONDAY_MS = Date.UTC(1970, 0, 5);
/** How far ahead partitions exist. */
export const AHEAD_MS = 14 * DAY_MS;
/** Partitions that end sooner were not created in time. */
const ALERT_BEFORE_MS = 7 * DAY_MS;

/** The periods of all times from `from` to `to`, both included. */
export function listPeriods(from: Date, to: Date): Period[] {
  const periods: Period[] = [];
  const sinceMonday = (from.getTime() - A_MONDAY_MS) % PERIOD_MS;
  let startMs = from.getTime() - (sinceMonday < 0 ? sinceMonday + PERIOD_MS : sinceMonday);
  for (; startMs <= to.getTime(); startMs += PERIOD_MS) {
    periods.push({ from: new Date(startMs), until: new Date(startMs + PERIOD_MS) });
  }
  return periods;
}

/** Whether a partition has only rows older than its table keeps. */
export function isOutdated({ until }: Period, { keptMs }: PartitionedTable, now: Date): boolean {
  return until.getTime() <= now.getTime() - keptMs;
}

/** The partitions of one table. */
export interface PartitionState {
  readonly table: string;
  /** End of the last one, in seconds; null: there is none. */
  readonly end: number | null;
  /** Whether rows are in the default partition because their own is missing. */
  readonly hasStrays: boolean;
}

/** What is wrong, as a sentence without its period; null: nothing. */
export function findPartitionProblem(states: readonly PartitionState[], now: Date): string | null {
  for (const { table, end, hasStrays } of states) {
    const leftMs = (end ?? 0) * 1_000 - now.getTime();
    if (leftMs <= 0) return `Table ${table} has no partition for new rows`;
    if (leftMs < ALERT_BEFORE_MS) return `The partitions of table ${table} end in ${Math.floor(leftMs / DAY_MS)} days`;
    if (hasStrays) return `Table ${table} has rows without a partition of their own`;
  }
  return null;
}
