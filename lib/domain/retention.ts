/** Days for which records are kept. The worker deletes older ones (docs/operating/retention.md). */
export const KEPT_DAYS = {
  verifications: 90,
  /** Of API keys, in the log. */
  apiRequests: 14,
  /** Contract 1.11. */
  idempotencyRecords: 1,
  /** From agents. */
  reports: 90,
  /** With their webhook deliveries. */
  events: 30,
  webhookTargets: 1,
  mails: 30,
  /** Of the queue, which are not tried again. */
  failedJobs: 30,
  /** After their end. */
  bulkJobs: 90,
  /** After their end. */
  sessions: 30,
  /** Of API keys, after their end. */
  keyAddresses: 30,
  /** Of providers' books; the newest of each provider stays. */
  comparisons: 90,
  /** After the end of the term that they would have had. */
  discardedRegistrations: 90,
} as const;

const DAY_MS = 86_400_000;

/** Milliseconds for which records are kept. */
export function keptMs(kind: keyof typeof KEPT_DAYS): number {
  return KEPT_DAYS[kind] * DAY_MS;
}
