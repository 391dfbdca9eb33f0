import type { Interval } from "#lib/domain/interval.ts";
import type { ScheduledJobName } from "#lib/domain/scheduled-jobs.ts";
import { verifyAuditLog } from "#lib/services/audit/verify.ts";
import { wakeDroppedBulkJobs } from "#lib/services/bulk/run.ts";
import { queueDigestMails } from "#lib/services/mail/queue-digests.ts";
import { queueProblemMails } from "#lib/services/mail/queue-problem-mails.ts";
import { queueRunwayMails } from "#lib/services/mail/queue-runway-mails.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { announceRisenPrices } from "#lib/services/renewals/announce-prices.ts";
import { emitExpiryNotices } from "#lib/services/renewals/emit-expiry-notices.ts";
import { wakeRenewals } from "#lib/services/renewals/run-due.ts";
import { maintainPartitions } from "#lib/services/retention/maintain-partitions.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { endFalseWaits } from "#lib/services/system/end-false-waits.ts";
import { checkLedger } from "#lib/services/wallet/check-ledger.ts";
import { Finding, type Job } from "./job.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface ScheduledJob extends Interval {
  /** A run that takes longer is reported as failed. */
  readonly deadlineMs: number;
  readonly run: Job;
}

const everyMinutes = (minutes: number, run: Job): ScheduledJob => ({
  everyMs: minutes * MINUTE_MS,
  offsetMs: 0,
  deadlineMs: 5 * MINUTE_MS,
  run,
});
const hourlyAt = (minute: number, run: Job): ScheduledJob => ({
  everyMs: HOUR_MS,
  offsetMs: minute * MINUTE_MS,
  deadlineMs: HOUR_MS,
  run,
});
const dailyAt = (hour: number, minute: number, run: Job): ScheduledJob => ({
  everyMs: DAY_MS,
  offsetMs: hour * HOUR_MS + minute * MINUTE_MS,
  deadlineMs: HOUR_MS,
  run,
});

const countOf = (messages: number) => (messages > 0 ? { messages } : null);

/** By name, once for all instances. No job waits for another. */
export const createSchedule = (backUp: Job): Readonly<Record<ScheduledJobName, ScheduledJob>> => ({
  /** Adds a `renew_reseller` for each reseller with due renewals. */
  renew_due: everyMinutes(5, async (ctx) => {
    await wakeRenewals(ctx);
    return null;
  }),
  emit_expiry_notices: everyMinutes(5, async (ctx) => {
    const emitted = await emitExpiryNotices(ctx);
    return emitted.expired + emitted.expiringSoon > 0 ? emitted : null;
  }),
  /** A clock that was ahead must not delay anything after it is corrected. */
  end_false_waits: everyMinutes(5, async (ctx) => {
    const ended = await endFalseWaits(ctx);
    return ended === 0 ? null : { ended };
  }),
  queue_digest_mails: everyMinutes(5, async (ctx) => countOf(await queueDigestMails(ctx))),
  queue_problem_mails: everyMinutes(10, async (ctx) => countOf(await queueProblemMails(ctx))),
  /** Finds bulk jobs whose worker died or whose wake-up was lost. */
  wake_bulk_jobs: everyMinutes(1, async (ctx) => {
    await wakeDroppedBulkJobs(ctx);
    return null;
  }),
  announce_prices: hourlyAt(11, async (ctx) => {
    const announced = await announceRisenPrices(ctx);
    return announced > 0 ? { announced } : null;
  }),
  detect_drift: hourlyAt(23, async (ctx) => ({ providers: await detectDrift(ctx) })),
  /** Every hour, because another session's lock may postpone it. */
  maintain_partitions: hourlyAt(43, async (ctx) => {
    const changes = await maintainPartitions(ctx);
    return Object.values(changes).flat().length > 0 ? changes : null;
  }),
  prune: dailyAt(3, 17, (ctx) => pruneOldRecords(ctx)),
  check_ledger: dailyAt(3, 27, async (ctx) => {
    const { differences } = await checkLedger(ctx);
    if (differences > 0) throw new Finding(`${differences} differences in the books: run admin wallet verify.`);
    return null;
  }),
  /** Its summary puts the head into the server's log, outside the database. */
  verify_audit_log: dailyAt(3, 37, async (ctx) => {
    const { head, problems, unlinkedEntries } = await verifyAuditLog(ctx);
    const count = problems.length + unlinkedEntries;
    if (count > 0) throw new Finding(`${count} entries of the audit log are not as written: run admin audit verify.`);
    return { head: head && `${head.position}:${head.hash}` };
  }),
  queue_runway_mails: dailyAt(7, 7, async (ctx) => countOf(await queueRunwayMails(ctx))),
  // Every hour, so that a failed or missed one is made up for.
  back_up: { ...hourlyAt(5, backUp), deadlineMs: DAY_MS },
});
