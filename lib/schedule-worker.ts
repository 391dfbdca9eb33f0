import { setTimeout as sleep } from "node:timers/promises";
import { type ClaimedRun, claimDueRun, endRun } from "#lib/db/job/run.ts";
import type { Lane } from "#lib/jobs/schedule.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { withDeadline } from "./with-deadline.ts";

export interface ScheduleWorker {
  /** Starts no more jobs, and waits up to `graceMs` for running ones. */
  stop(graceMs: number): Promise<void>;
}

export interface ScheduleWorkerOptions {
  readonly lanes: readonly Lane[];
  readonly runJob: (name: string) => Promise<void>;
  readonly logError: (message: string) => (error: unknown) => void;
}

const POLL_EVERY_MS = 2_000;
const POLL_AFTER_ERROR_MS = 5_000;

/**
 * Runs scheduled jobs until stopped, those of a lane one after the other. Safe on several instances: the database assigns
 * each run to one of them, and its clock decides what is due.
 */
export function startScheduleWorker(
  ctx: ServiceContext,
  { lanes, runJob, logError }: ScheduleWorkerOptions,
): ScheduleWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Also runs that were given up: a job never runs twice at once. */
  const underWay = new Set<string>();
  const report = (message: string, error: unknown) => {
    if (!signal.aborted) logError(message)(error);
  };

  async function run(claimed: ClaimedRun, deadlineMs: number): Promise<void> {
    let error: string | null = null;
    try {
      underWay.add(claimed.name);
      const work = runJob(claimed.name).finally(() => underWay.delete(claimed.name));
      await withDeadline(work, deadlineMs);
    } catch (cause) {
      // Another process repeats what this one interrupts by stopping.
      if (signal.aborted) return;
      error = cause instanceof Error ? cause.message : String(cause);
      report(`the job ${claimed.name} failed`, cause);
    }
    await endRun(ctx.db, claimed, error);
  }

  async function runLane({ jobs, deadlineMs }: Lane): Promise<void> {
    while (!signal.aborted) {
      let waitMs = POLL_EVERY_MS;
      try {
        const { ownerId } = await ctx.leases.begin(async () => false);
        const free = Object.entries(jobs).filter(([name]) => !underWay.has(name));
        const claimed = await claimDueRun(ctx.db, ownerId, Object.fromEntries(free));
        if (claimed) {
          await run(claimed, deadlineMs);
          continue;
        }
      } catch (error) {
        report("the schedule could not be read", error);
        waitMs = POLL_AFTER_ERROR_MS;
      }
      await sleep(waitMs, undefined, { ref: false, signal }).catch(() => {});
    }
  }
  const running = Promise.all(lanes.map(runLane));

  return {
    async stop(graceMs) {
      stopping.abort();
      await Promise.race([running, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
