import { randomUUID } from "node:crypto";
import { cancelBulkJob } from "#lib/db/bulk-job.ts";
import { beginBulkItem, claimBulkJob, closeBulkJob, wakeBulkJobs, yieldBulkJob } from "#lib/db/bulk-run.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { bulkKindRunners } from "./kinds.ts";
import { doBulkItem } from "./run-item.ts";

/** An operation that a dead worker has begun has lost its own lease when the job is taken up again. */
const BEYOND_OPERATION_LEASE_MS = 30_000;
/** A job gives way to others after this long, and ends within the time that a stopping process has. */
const TURN_MS = 3_000;

export interface BulkTurn {
  readonly done: number;
  readonly ended: boolean;
}

/**
 * Does items of one job until its turn is over, one after the other; what is left wakes a worker anew. Any number of
 * workers may try: a lease gives the job to one of them, and after a crash to the next. Null: somebody else is at it.
 * @throws AggregateError when items failed for reasons that are nobody's but ours, after the turn
 */
export async function runBulkJob(
  ctx: ServiceContext,
  input: { readonly jobId: number; readonly turnMs?: number },
): Promise<BulkTurn | null> {
  requireAdmin(ctx);
  const token = randomUUID();
  const leaseUntil = () => new Date(ctx.now().getTime() + ctx.settings.operationLeaseMs + BEYOND_OPERATION_LEASE_MS);
  const job = await claimBulkJob(ctx.db, input.jobId, { token, now: ctx.now(), leaseUntil: leaseUntil() });
  if (!job) return null;
  if (job.userDisabled) {
    await cancelBulkJob(ctx.db, { ...job, by: changedBy(ctx) }, "Whoever started it may sign in no more.");
  }
  const { allOrNothing } = bulkKindRunners[job.kind];
  const endsAtMs = performance.now() + (input.turnMs ?? TURN_MS);
  const errors: unknown[] = [];
  let done = 0;
  let ended = false;
  for (;;) {
    const item = await beginBulkItem(ctx.db, job.id, { token, leaseUntil: leaseUntil(), allOrNothing });
    if (!item) {
      ended = await closeBulkJob(ctx.db, job.id, token, { allOrNothing, now: ctx.now() });
      break;
    }
    const error = await doBulkItem(ctx, job, item, token);
    if (error !== null) errors.push(error);
    done += 1;
    if (performance.now() >= endsAtMs) {
      await yieldBulkJob(ctx.db, job.id, token, ctx.now());
      break;
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} bulk items failed unexpectedly`);
  return { done, ended };
}

/** Makes the workers take up what nobody is at; returns how many jobs. */
export async function wakeDroppedBulkJobs(ctx: ServiceContext): Promise<number> {
  requireAdmin(ctx);
  return wakeBulkJobs(ctx.db, ctx.now());
}
