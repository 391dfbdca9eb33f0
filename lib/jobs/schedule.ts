import type { Interval } from "#lib/domain/interval.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface ScheduledJob extends Interval {
  /** A run that takes longer is reported as failed. */
  readonly deadlineMs: number;
}

const everyMinutes = (minutes: number): ScheduledJob => ({
  everyMs: minutes * MINUTE_MS,
  offsetMs: 0,
  deadlineMs: 5 * MINUTE_MS,
});
const hourlyAt = (minute: number): ScheduledJob => ({
  everyMs: HOUR_MS,
  offsetMs: minute * MINUTE_MS,
  deadlineMs: HOUR_MS,
});
const dailyAt = (hour: number, minute: number): ScheduledJob => ({
  everyMs: DAY_MS,
  offsetMs: hour * HOUR_MS + minute * MINUTE_MS,
  deadlineMs: HOUR_MS,
});

/** Once for all instances. No job waits for another. */
export const schedule: Readonly<Record<string, ScheduledJob>> = {
  renew_due: everyMinutes(5),
  emit_expiry_notices: everyMinutes(5),
  end_false_waits: everyMinutes(5),
  queue_digest_mails: everyMinutes(5),
  queue_problem_mails: everyMinutes(10),
  wake_bulk_jobs: everyMinutes(1),
  announce_prices: hourlyAt(11),
  detect_drift: hourlyAt(23),
  maintain_partitions: hourlyAt(43),
  prune: dailyAt(3, 17),
  check_ledger: dailyAt(3, 27),
  verify_audit_log: dailyAt(3, 37),
  queue_runway_mails: dailyAt(7, 7),
  // Every hour, so that a failed or missed one is made up for.
  back_up: { ...hourlyAt(5), deadlineMs: DAY_MS },
};

/** Of a job of the queue. A turn takes seconds, but a large bundle at a provider that does not answer takes longer. */
export const TURN_DEADLINE_MS = HOUR_MS;
