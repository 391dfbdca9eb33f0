import { cancelBulkJob } from "#lib/db/bulk/job.ts";
import {
  beginBulkItem,
  type ClaimedBulkJob,
  claimBulkJob,
  closeBulkJob,
  listFreeBulkJobs,
  reclaimBulkJob,
  wakeBulkJob,
  wakeBulkJobs,
  yieldBulkJob,
} from "#lib/db/bulk/run.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import type { BulkJobId, ResellerId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";
import { UnreadableBulkItemError } from "./kind.ts";
import { bulkKindRunners } from "./kinds.ts";
import { runBulkItem } from "./run-item.ts";

/** Turn of a job before others; short enough for a process to stop gracefully. */
const TURN_MS = 3_000;
/** An update of all instances takes about as long; until then, one of another version may take the job. */
const UNREADABLE_RETRY_MS = 30_000;

export interface BulkTurn {
  readonly done: number;
  readonly ended: boolean;
  /** Nothing more can begin now, and no turn is queued. */
  readonly waits: boolean;
  /** Why the turn ended at an item that only another version can read; else null. */
  readonly unreadable: UnreadableBulkItemError | null;
}

/**
 * Runs items of one job in order until its turn ends; remaining items wake a worker again. Concurrent workers are safe:
 * a lease assigns the job to one. While the reseller is suspended, no item starts. Returns null if another worker owns the job, or if it waits for the end of a suspension.
 * @throws AggregateError of internal errors, after the turn
 */
export async function runBulkJob(
  ctx: ServiceContext,
  input: { readonly jobId: number; readonly turnMs?: number | undefined },
): Promise<BulkTurn | null> {
  requireSystem(ctx);
  const { jobId, turnMs = TURN_MS } = input;
  const lease = await ctx.leases.begin((held) => reclaimBulkJob(ctx.db, held, jobId));
  try {
    const job = await claimBulkJob(ctx.db, lease, jobId, ctx.now());
    return job && (await runTurn(ctx, job, lease, turnMs));
  } catch (error) {
    // Has no effect after a regular end of the turn.
    ctx.leases.abandon(() => yieldBulkJob(ctx.db, lease, jobId, ctx.now()));
    throw error;
  }
}

async function runTurn(ctx: ServiceContext, job: ClaimedBulkJob, lease: Lease, turnMs: number): Promise<BulkTurn> {
  if (job.userDisabled) {
    await cancelBulkJob(ctx.db, { ...job, by: changedBy(ctx) }, "The user who started it is disabled.");
  }
  const retryLater = () => yieldBulkJob(ctx.db, lease, job.id, new Date(ctx.now().getTime() + UNREADABLE_RETRY_MS));
  if (!(job.kind in bulkKindRunners)) {
    await retryLater();
    return {
      done: 0,
      ended: false,
      waits: false,
      unreadable: new UnreadableBulkItemError(`bulk job ${job.id}: kind ${job.kind}`),
    };
  }
  const { allOrNothing } = bulkKindRunners[job.kind];
  const endsAtMs = performance.now() + turnMs;
  const errors: unknown[] = [];
  let done = 0;
  let ended = false;
  let waits = false;
  let unreadable: UnreadableBulkItemError | null = null;
  for (;;) {
    const item = await beginBulkItem(ctx.db, lease, job.id, { allOrNothing, now: ctx.now() });
    if (!item) {
      ended = await closeBulkJob(ctx.db, lease, job.id, { allOrNothing, now: ctx.now() });
      waits = !ended;
      break;
    }
    try {
      const { ended: itemEnded, unexpected } = await runBulkItem(ctx, job, item, lease);
      if (unexpected !== null) errors.push(unexpected);
      if (itemEnded) done += 1;
    } catch (error) {
      if (!(error instanceof UnreadableBulkItemError)) throw error;
      unreadable = error;
      await retryLater();
      break;
    }
    if (performance.now() >= endsAtMs) {
      await yieldBulkJob(ctx.db, lease, job.id, ctx.now());
      break;
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} bulk items failed unexpectedly`);
  return { done, ended, waits, unreadable };
}

/**
 * Runs a turn of the reseller's first runnable job after job `after`. Resellers take turns, however many jobs each has.
 * Returns the job if it has ended.
 * @throws AggregateError if all others wait for another version, besides the errors of `runBulkJob`
 */
export async function runBulkTurn(
  ctx: ServiceContext,
  input: { readonly resellerId: ResellerId; readonly after?: number; readonly turnMs?: number },
): Promise<{ readonly endedJobId: BulkJobId | null }> {
  requireSystem(ctx);
  const { resellerId, after = 0, turnMs } = input;
  const jobIds = await listFreeBulkJobs(ctx.db, resellerId, after);
  const unreadable: Error[] = [];
  for (const jobId of jobIds) {
    let turn: BulkTurn | null = null;
    let failed = true;
    try {
      turn = await runBulkJob(ctx, { jobId, turnMs });
      failed = false;
    } finally {
      // A job that failed or waits is retried later; the reseller's other jobs do not wait. A turn that is over has queued
      // the next one.
      if ((failed || turn?.ended || (turn?.waits && turn.done > 0)) && jobIds.length > 1)
        await wakeBulkJob(ctx.db, jobId, ctx.now());
    }
    if (turn?.unreadable) unreadable.push(turn.unreadable);
    else if (turn && (turn.done > 0 || turn.ended)) return { endedJobId: turn.ended ? jobId : null };
  }
  if (unreadable.length > 0)
    throw new AggregateError(unreadable, `${unreadable.length} bulk jobs wait for another version`);
  return { endedJobId: null };
}

/** Wakes workers for jobs without an owner; returns their number. */
export async function wakeDroppedBulkJobs(ctx: ServiceContext): Promise<number> {
  requireSystem(ctx);
  return wakeBulkJobs(ctx.db, ctx.now());
}
