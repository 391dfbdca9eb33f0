import type { Interval } from "#lib/domain/interval.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Scheduled jobs that run one after the other, so that one that hangs delays no other lane. */
export interface Lane {
  readonly jobs: Readonly<Record<string, Interval>>;
  /** A run is given up after this long. */
  readonly deadlineMs: number;
}

const everyMinutes = (minutes: number): Interval => ({ everyMs: minutes * MINUTE_MS, offsetMs: 0 });
const hourlyAt = (minute: number): Interval => ({ everyMs: HOUR_MS, offsetMs: minute * MINUTE_MS });
const dailyAt = (hour: number, minute: number): Interval => ({
  everyMs: DAY_MS,
  offsetMs: hour * HOUR_MS + minute * MINUTE_MS,
});

/** The schedule of jobs, once for all instances. */
export const lanes: readonly Lane[] = [
  { deadlineMs: 5 * MINUTE_MS, jobs: { renew_due: everyMinutes(5) } },
  {
    deadlineMs: 5 * MINUTE_MS,
    jobs: {
      emit_expiry_notices: everyMinutes(5),
      queue_digest_mails: everyMinutes(5),
      queue_problem_mails: everyMinutes(10),
      wake_bulk_jobs: everyMinutes(1),
    },
  },
  {
    deadlineMs: HOUR_MS,
    jobs: {
      announce_prices: hourlyAt(11),
      detect_drift: hourlyAt(23),
      maintain_partitions: hourlyAt(43),
      prune: dailyAt(3, 17),
      check_ledger: dailyAt(3, 27),
      verify_audit_log: dailyAt(3, 37),
      queue_runway_mails: dailyAt(7, 7),
    },
  },
  // Every hour, so that a failed or missed one is made up for.
  { deadlineMs: DAY_MS, jobs: { back_up: hourlyAt(5) } },
];

/** Of a job of the queue. A turn takes seconds. */
export const TURN_DEADLINE_MS = 5 * MINUTE_MS;
