import { randomUUID } from "node:crypto";
import { outageKindOf } from "#lib/db/connection/errors.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { traced } from "#lib/domain/trace.ts";
import type { Job } from "#lib/jobs/job.ts";
import { queuedJobs, TURN_DEADLINE_MS } from "#lib/jobs/queue.ts";
import { createSchedule } from "#lib/jobs/schedule.ts";
import type { Runtime } from "#lib/runtime.ts";
import { startMailWorker } from "./mail-worker.ts";
import { startOperationWorker } from "./operation-worker.ts";
import { startScheduleWorker } from "./schedule-worker.ts";
import { startWebhookWorker } from "./webhook-worker.ts";
import { withDeadline } from "./with-deadline.ts";

export interface Worker {
  /** Starts nothing new, and waits a moment for work in progress. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  readonly databaseUrl: string;
}

/** Anything longer is abandoned; once the process has ended, another one claims it. */
const STOP_GRACE_MS = 5_000;

/**
 * Runs background work: scheduled and queued jobs (lib/jobs), abandoned operations, webhooks and mail. Safe on several instances: the
 * database assigns each operation, delivery and message to one of them.
 */
export function startWorker(runtime: Runtime, options: WorkerOptions): Worker {
  const { databaseUrl } = options;
  const { log, metrics, processLease } = runtime;
  const ctx = runtime.contextFor({ kind: "system", name: "worker" }, { requestId: "worker" });
  /** An unavailable database is logged once per process (`watch-outages.ts`). */
  const logError = (message: string) => (error: unknown) => {
    log[isDatabaseAway(error) ? "debug" : "error"]({ err: error }, message);
  };
  const webhooks = startWebhookWorker(ctx, runtime.webhookSender, { logError: logError("webhook delivery failed") });
  const mails = startMailWorker(ctx, runtime.mailSender, { logError: logError("mail delivery failed") });
  const operations = startOperationWorker(ctx, {
    logSettled: (outcome) => log.info(outcome, "operation reconciled"),
    logError: logError("reconciliation failed"),
  });
  let stopped = false;

  const doJob = async (name: string, job: Job, payload?: unknown) => {
    const request = { id: `job ${name} ${randomUUID()}`, role: "begins" } as const;
    const result = await traced({ name: `job ${name}`, request }, () => job(ctx, payload));
    if (result) log.info({ job: name, ...result }, "job done");
  };

  const schedule = createSchedule(async () => {
    const { runScheduledBackup } = await import("./scheduled-backup.ts");
    return runScheduledBackup(databaseUrl, runtime.now());
  });
  const scheduleWorker = startScheduleWorker(ctx, { schedule, runJob: doJob, logError });

  // Loaded after the server responds, which does not need it.
  const queue = import("#lib/db/job/queue.ts").then(({ startJobQueue }) =>
    stopped
      ? null
      : startJobQueue({
          databaseUrl,
          onWorkers: processLease.setJobWorkers,
          onPool: (use) => metrics.watchPool("jobs", use),
          jobs: {
            ...Object.fromEntries(
              Object.entries(queuedJobs).map(([name, job]) => [
                name,
                (payload: unknown) => withDeadline(doJob(name, job, payload), TURN_DEADLINE_MS),
              ]),
            ),
            deliver_webhooks: async () => webhooks.wake(),
          },
          // Bulk jobs that hang must not delay renewals.
          reservedFor: "renew_reseller",
          log: (level, message, error) =>
            level === "error" ? logError(message)(error) : log.debug({ err: error }, message),
          stopGraceMs: STOP_GRACE_MS,
        }),
  );

  return {
    async stop() {
      stopped = true;
      const grace = Promise.withResolvers<void>();
      const graceTimer = setTimeout(grace.resolve, STOP_GRACE_MS + 1_000);
      await Promise.race([
        Promise.all([
          operations.stop(STOP_GRACE_MS),
          scheduleWorker.stop(STOP_GRACE_MS),
          queue.then((started) => started?.stop()),
          webhooks.stop(STOP_GRACE_MS),
          mails.stop(STOP_GRACE_MS),
        ]),
        grace.promise,
      ]);
      clearTimeout(graceTimer);
    },
  };
}

function isDatabaseAway(error: unknown): boolean {
  return isDomainError(error) ? error.code === "unavailable" : outageKindOf(error) !== null;
}
