import { type ClaimedRun, claimDueRun, endRun, type RunFailure, storeOverrun } from "#lib/db/job/run.ts";
import { Finding, type Job } from "#lib/jobs/job.ts";
import type { ScheduledJob } from "#lib/jobs/schedule.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { type BackgroundLoop, startLoop } from "./background-loop.ts";

export interface ScheduleWorkerOptions {
  readonly schedule: Readonly<Record<string, ScheduledJob>>;
  readonly runJob: (name: string, job: Job) => Promise<void>;
  readonly logError: (message: string) => (error: unknown) => void;
}

const POLL_EVERY_MS = 2_000;
const POLL_AFTER_ERROR_MS = 5_000;

/**
 * Runs scheduled jobs until stopped, also several at once. Safe on several instances: the database assigns each run to one
 * of them, and its clock decides what is due. A job that a live process runs is not started again, however long it takes.
 */
export function startScheduleWorker(
  ctx: ServiceContext,
  { schedule, runJob, logError }: ScheduleWorkerOptions,
): Pick<BackgroundLoop<unknown>, "stop"> {
  const report = (message: string) => (error: unknown) => {
    if (!loop.isStopped()) logError(message)(error);
  };

  async function run(claimed: ClaimedRun, job: Job): Promise<void> {
    let failure: RunFailure | null = null;
    try {
      await runJob(claimed.name, job);
    } catch (cause) {
      // Another process repeats what this one interrupts by stopping.
      if (loop.isStopped()) return;
      report(`the job ${claimed.name} failed`)(cause);
      const message = cause instanceof Error ? cause.message : String(cause);
      failure = { message, isRepeated: !(cause instanceof Finding) };
    }
    await endRun(ctx.db, claimed, failure);
  }

  function start(claimed: ClaimedRun, { deadlineMs, run: job }: ScheduledJob): void {
    const { name } = claimed;
    const reportUnstored = report(`the state of the job ${name} could not be stored`);
    const deadline = setTimeout(() => {
      const overrun = new Error(`has not ended after ${deadlineMs / 1_000} seconds`);
      report(`the job ${name} takes too long`)(overrun);
      storeOverrun(ctx.db, claimed, overrun.message).catch(reportUnstored);
    }, deadlineMs).unref();
    const ended = run(claimed, job)
      .catch(reportUnstored)
      .finally(() => clearTimeout(deadline));
    loop.begin(name, ended);
  }

  const loop = startLoop<string>({
    async poll({ underWay }) {
      const { ownerId } = await ctx.leases.begin(async () => false);
      const free = Object.entries(schedule).filter(([name]) => !underWay.has(name));
      const claimed = await claimDueRun(ctx.db, ownerId, Object.fromEntries(free));
      const job = claimed && schedule[claimed.name];
      if (job) start(claimed, job);
      return Boolean(job);
    },
    everyMs: POLL_EVERY_MS,
    afterErrorMs: POLL_AFTER_ERROR_MS,
    logError: logError("the schedule could not be read"),
  });
  return loop;
}
