import { announcePricesJob } from "./announce-prices.ts";
import { checkLedgerJob } from "./check-ledger.ts";
import { detectDriftJob } from "./detect-drift.ts";
import { emitExpiryNoticesJob } from "./emit-expiry-notices.ts";
import { endFalseWaitsJob } from "./end-false-waits.ts";
import type { Job } from "./job.ts";
import { maintainPartitionsJob } from "./maintain-partitions.ts";
import { pruneJob } from "./prune.ts";
import { queueDigestMailsJob } from "./queue-digest-mails.ts";
import { queueProblemMailsJob } from "./queue-problem-mails.ts";
import { queueRunwayMailsJob } from "./queue-runway-mails.ts";
import { renewDueJob } from "./renew-due.ts";
import { renewResellerJob } from "./renew-reseller.ts";
import { runBulkJobsJob } from "./run-bulk-jobs.ts";
import { verifyAuditLogJob } from "./verify-audit-log.ts";
import { wakeBulkJobsJob } from "./wake-bulk-jobs.ts";

/** By name in the schedule. */
export const scheduledJobs: Readonly<Record<string, Job>> = {
  announce_prices: announcePricesJob,
  renew_due: renewDueJob,
  emit_expiry_notices: emitExpiryNoticesJob,
  end_false_waits: endFalseWaitsJob,
  check_ledger: checkLedgerJob,
  detect_drift: detectDriftJob,
  maintain_partitions: maintainPartitionsJob,
  prune: pruneJob,
  queue_digest_mails: queueDigestMailsJob,
  queue_problem_mails: queueProblemMailsJob,
  queue_runway_mails: queueRunwayMailsJob,
  verify_audit_log: verifyAuditLogJob,
  wake_bulk_jobs: wakeBulkJobsJob,
};

/** By name in the queue. */
export const queuedJobs: Readonly<Record<string, Job>> = {
  renew_reseller: renewResellerJob,
  run_bulk_jobs: runBulkJobsJob,
};
