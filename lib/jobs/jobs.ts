import { announcePricesJob } from "./announce-prices.ts";
import { checkLedgerJob } from "./check-ledger.ts";
import { detectDriftJob } from "./detect-drift.ts";
import { emitExpiryNoticesJob } from "./emit-expiry-notices.ts";
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

/** By name in the queue. */
export const jobs: Readonly<Record<string, Job>> = {
  announce_prices: announcePricesJob,
  renew_due: renewDueJob,
  renew_reseller: renewResellerJob,
  emit_expiry_notices: emitExpiryNoticesJob,
  check_ledger: checkLedgerJob,
  detect_drift: detectDriftJob,
  maintain_partitions: maintainPartitionsJob,
  prune: pruneJob,
  queue_digest_mails: queueDigestMailsJob,
  queue_problem_mails: queueProblemMailsJob,
  queue_runway_mails: queueRunwayMailsJob,
  run_bulk_jobs: runBulkJobsJob,
  verify_audit_log: verifyAuditLogJob,
  wake_bulk_jobs: wakeBulkJobsJob,
};

/** Schedule of jobs (cron, UTC), once for all instances. */
export const schedule: Readonly<Record<string, string>> = {
  announce_prices: "11 * * * *",
  renew_due: "*/5 * * * *",
  emit_expiry_notices: "*/5 * * * *",
  check_ledger: "27 3 * * *",
  detect_drift: "23 * * * *",
  maintain_partitions: "43 * * * *",
  prune: "17 3 * * *",
  queue_digest_mails: "*/5 * * * *",
  queue_problem_mails: "*/10 * * * *",
  queue_runway_mails: "7 7 * * *",
  verify_audit_log: "37 3 * * *",
  wake_bulk_jobs: "* * * * *",
};
