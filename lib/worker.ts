import { outageKindOf } from "#lib/db/connection/errors.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { Job } from "#lib/jobs/job.ts";
import { schedule as jobSchedule, jobs } from "#lib/jobs/jobs.ts";
import type { Runtime } from "#lib/runtime.ts";
import { startOperationWorker } from "./operation-worker.ts";
import { startWebhookWorker } from "./webhook-worker.ts";

export interface Worker {
  /** Starts nothing more, and waits a moment for what is under way. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  readonly databaseUrl: string;
}

/** What takes longer is left behind: when the process has ended, another one claims it. */
const STOP_GRACE_MS = 5_000;

/**
 * Does in the background what nobody asks for: jobs from the queue (lib/jobs), open operations that nobody is at, and
 * webhooks. Any number of instances may do so at once: the database gives each operation and delivery to one of them.
 */
export function startWorker(runtime: Runtime, options: WorkerOptions): Worker {
  const { databaseUrl } = options;
  const { log, processLease } = runtime;
  const ctx = runtime.contextFor({ kind: "system", name: "worker" }, { requestId: "worker" });
  /** An unavailable database is logged once for the whole process (`watch-outages.ts`). */
  const logError = (message: string) => (error: unknown) => {
    log[isDatabaseAway(error) ? "debug" : "error"]({ err: error }, message);
  };
  const webhooks = startWebhookWorker(ctx, runtime.webhookSender, { logError: logError("webhook delivery failed") });
  const operations = startOperationWorker(ctx, {
    logSettled: (outcome) => log.info(outcome, "operation reconciled"),
    logError: logError("reconciliation failed"),
  });
  let stopped = false;

  const doJob = (name: string, job: Job) => async (payload: unknown) => {
    const result = await job(ctx, payload);
    if (result) log.info({ job: name, ...result }, "job done");
  };

  // Loaded when the server answers already: it is not needed for that.
  const queue = import("#lib/db/job/queue.ts").then(({ startJobQueue }) =>
    stopped
      ? null
      : startJobQueue({
          databaseUrl,
          onWorker: processLease.addJobWorker,
          jobs: {
            ...Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, doJob(name, job)])),
            deliver_webhooks: async () => webhooks.wake(),
          },
          schedule: jobSchedule,
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
        Promise.all([operations.stop(), queue.then((started) => started?.stop()), webhooks.stop(STOP_GRACE_MS)]),
        grace.promise,
      ]);
      clearTimeout(graceTimer);
    },
  };
}

function isDatabaseAway(error: unknown): boolean {
  return isDomainError(error) ? error.code === "unavailable" : outageKindOf(error) !== null;
}
