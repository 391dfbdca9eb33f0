import type { Job } from "#lib/jobs/job.ts";
import { schedule as jobSchedule, jobs } from "#lib/jobs/jobs.ts";
import type { Runtime } from "#lib/runtime.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { startWebhookWorker } from "#lib/webhook-worker.ts";

export interface Worker {
  /** Starts nothing more, and waits a moment for what is under way. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly sweepEveryMs?: number;
}

const SWEEP_EVERY_MS = 30_000;
/** Of the interval: instances that were started together drift apart. */
const JITTER = 0.2;
/** What takes longer is left behind: its lease runs out, and another worker takes it up. */
const STOP_GRACE_MS = 5_000;

/**
 * Does in the background what nobody asks for: jobs from the queue (lib/jobs), and by a timer of its own the sweep
 * that settles operations whose outcome was unclear or whose process died, also when their job was lost, and delivers
 * webhooks. Any number of instances may do so at once: the database gives each operation and delivery to one of them.
 */
export function startWorker(runtime: Runtime, options: WorkerOptions): Worker {
  const { databaseUrl, sweepEveryMs = SWEEP_EVERY_MS } = options;
  const { log } = runtime;
  const ctx = runtime.contextFor({ kind: "system", name: "worker" }, { requestId: "worker" });
  const webhooks = startWebhookWorker(ctx, runtime.webhookSender, {
    logError: (error) => log.error({ err: error }, "webhook delivery failed"),
  });
  let stopped = false;
  let timer: NodeJS.Timeout;
  let sweeping: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      const summary = await reconcileOperations(ctx, { unknownNow: false });
      if (summary.asked > 0) log.info(summary, "operations reconciled");
    } catch (error) {
      if (!stopped) log.error({ err: error }, "reconciliation failed");
    }
  }

  // The next one is set when one has ended: never two at once.
  const schedule = () => {
    const delayMs = sweepEveryMs * (1 + JITTER * (2 * Math.random() - 1));
    timer = setTimeout(() => {
      sweeping = sweep().finally(() => {
        if (!stopped) schedule();
      });
    }, delayMs).unref();
  };
  schedule();

  const doJob = (name: string, job: Job) => async (payload: unknown) => {
    const result = await job(ctx, payload);
    if (result) log.info({ job: name, ...result }, "job done");
  };

  // Loaded when the server answers already: it is not needed for that.
  const queue = import("#lib/db/job-queue.ts").then(({ startJobQueue }) =>
    stopped
      ? null
      : startJobQueue({
          databaseUrl,
          jobs: {
            ...Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, doJob(name, job)])),
            deliver_webhooks: async () => webhooks.wake(),
          },
          schedule: jobSchedule,
          log: (level, message, error) => log[level]({ err: error }, message),
          stopGraceMs: STOP_GRACE_MS,
        }),
  );

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const grace = Promise.withResolvers<void>();
      const graceTimer = setTimeout(grace.resolve, STOP_GRACE_MS + 1_000);
      await Promise.race([
        Promise.all([sweeping, queue.then((started) => started?.stop()), webhooks.stop(STOP_GRACE_MS)]),
        grace.promise,
      ]);
      clearTimeout(graceTimer);
    },
  };
}
