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
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { bulkKindRunners } from "./kinds.ts";
import { doBulkItem } from "./run-item.ts";

/** A job gives way to others after this long, and ends within the time that a stopping process has. */
const TURN_MS = 3_000;

export interface BulkTurn {
  readonly done: number;
  readonly ended: boolean;
}

/**
 * Does items of one job until its turn is over, one after the other; what is left wakes a worker anew. Any number of
 * workers may try: a lease gives the job to one of them, and after a crash to the next. While the reseller is suspended
 * nothing further starts. Null: somebody else is at it, or it has not begun and waits for the end of a suspension.
 * @throws AggregateError when items failed for reasons that are nobody's but ours, after the turn
 */
export async function runBulkJob(
  ctx: ServiceContext,
  input: { readonly jobId: number; readonly turnMs?: number },
): Promise<BulkTurn | null> {
  requireAdmin(ctx);
  const { jobId, turnMs = TURN_MS } = input;
  const lease = await ctx.leases.begin((mine) => reclaimBulkJob(ctx.db, mine, jobId));
  try {
    const job = await claimBulkJob(ctx.db, lease, jobId, ctx.now());
    return job && (await doTurn(ctx, job, lease, turnMs));
  } catch (error) {
    // Nothing happens where the turn has ended in order.
    ctx.leases.abandon(() => yieldBulkJob(ctx.db, lease, jobId, ctx.now()));
    throw error;
  }
}

async function doTurn(ctx: ServiceContext, job: ClaimedBulkJob, lease: Lease, turnMs: number): Promise<BulkTurn> {
  if (job.userDisabled) {
    await cancelBulkJob(ctx.db, { ...job, by: changedBy(ctx) }, "Whoever started it may sign in no more.");
  }
  const { allOrNothing } = bulkKindRunners[job.kind];
  const endsAtMs = performance.now() + turnMs;
  const errors: unknown[] = [];
  let done = 0;
  let ended = false;
  for (;;) {
    const item = await beginBulkItem(ctx.db, lease, job.id, { allOrNothing });
    if (!item) {
      ended = await closeBulkJob(ctx.db, lease, job.id, { allOrNothing, now: ctx.now() });
      break;
    }
    const { ended: itemEnded, unexpected } = await doBulkItem(ctx, job, item, lease);
    if (unexpected !== null) errors.push(unexpected);
    if (itemEnded) done += 1;
    if (performance.now() >= endsAtMs) {
      await yieldBulkJob(ctx.db, lease, job.id, ctx.now());
      break;
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} bulk items failed unexpectedly`);
  return { done, ended };
}

/**
 * Gives one reseller a turn: the first of its jobs that has something to do. Then the reseller goes to the end of the
 * queue, however many jobs it has started, and its next job is the one behind. Returns the job that has ended, or null.
 */
export async function runBulkTurn(
  ctx: ServiceContext,
  { resellerId, after = 0 }: { readonly resellerId: ResellerId; readonly after?: number },
): Promise<{ readonly endedJobId: BulkJobId | null }> {
  requireAdmin(ctx);
  const jobIds = await listFreeBulkJobs(ctx.db, resellerId, after);
  for (const jobId of jobIds) {
    let turn: BulkTurn | null = null;
    let failed = true;
    try {
      turn = await runBulkJob(ctx, { jobId });
      failed = false;
    } finally {
      // What fails unexpectedly is tried again later, and the reseller's other jobs do not wait for that.
      if ((failed || turn?.ended) && jobIds.length > 1) await wakeBulkJob(ctx.db, jobId, ctx.now());
    }
    if (turn && (turn.done > 0 || turn.ended)) return { endedJobId: turn.ended ? jobId : null };
  }
  return { endedJobId: null };
}

/** Makes the workers take up what nobody is at; returns how many jobs. */
export async function wakeDroppedBulkJobs(ctx: ServiceContext): Promise<number> {
  requireAdmin(ctx);
  return wakeBulkJobs(ctx.db, ctx.now());
}
