import {
  type BulkItemEnd,
  type ClaimedBulkJob,
  endBulkItem,
  findOperationOfRequest,
  postponeBulkItem,
  requeueBulkItem,
  type StartedBulkItem,
} from "#lib/db/bulk/run.ts";
import { createPendingWrites } from "#lib/db/connection/transaction.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import { bulkRequestId } from "#lib/domain/bulk.ts";
import { type DomainErrorCode, isDomainError } from "#lib/domain/errors.ts";
import type { BundleInstanceId, LicenseId } from "#lib/domain/ids.ts";
import { actingRole, sandboxRole } from "#lib/domain/roles.ts";
import type { RunningItem, ServiceContext } from "#lib/services/context.ts";
import { resumeOperation } from "#lib/services/operation/resume.ts";
import { UnreadableBulkItemError } from "./kind.ts";
import { bulkKindRunners } from "./kinds.ts";

/** How long to retry recording while the database is unavailable. */
const RECORD_WITHIN_MS = 10_000;
const MS_PER_SECOND = 1_000;
/** Nobody has to try again, unlike after other requests. */
const postponements: { readonly [code in DomainErrorCode]?: string } = {
  provider_unavailable: "The provider cannot be reached.",
  provider_busy: "The provider accepts no more requests at the moment.",
};

/**
 * Runs or undoes one item in the name of the user who started its job, and records the outcome. An operation that a
 * dead worker started is resumed. If the reseller is suspended, or the provider accepts no more requests at the moment,
 * the item is requeued and `ended` is false; so it is for a revert that is postponed. `unexpected`: an internal error for
 * the log, or null.
 * @throws UnreadableBulkItemError; the item stays as one that a dead worker left, and is the job's next
 */
export async function runBulkItem(
  ctx: ServiceContext,
  job: ClaimedBulkJob,
  item: StartedBulkItem,
  lease: Lease,
): Promise<{ readonly ended: boolean; readonly unexpected: unknown }> {
  const requestId = bulkRequestId(item.id, item.undoing ? "undo" : "do");
  const pending = createPendingWrites(ctx.db);
  const running = { lease, pending };
  const actor = toActor(job, item);
  const acting: ServiceContext = { ...ctx, db: pending.reads, actor, requestId, claim: null, item: running };
  const done = item.undoing ? "undone" : "succeeded";
  let end: BulkItemEnd;
  let unexpected: unknown = null;
  try {
    end = (await resume(acting, requestId, done)) ?? (await start(acting, job, item, done));
    if (!item.undoing && end.operationId !== null) await finish(acting, job, item);
  } catch (error) {
    await pending.rollback();
    if (error instanceof UnreadableBulkItemError) throw error;
    const isBusy = isDomainError(error) && error.code === "provider_busy" && !item.undoing;
    if (isBusy || (isDomainError(error) && error.code === "reseller_suspended")) {
      const waitMs = (error.retryAfterSeconds ?? 0) * MS_PER_SECOND;
      const waitsUntil = isBusy ? new Date(ctx.now().getTime() + waitMs) : null;
      await ctx.leases.persist(() => requeueBulkItem(ctx.db, lease, item.id, waitsUntil), { forMs: RECORD_WITHIN_MS });
      return { ended: false, unexpected };
    }
    if (!isDomainError(error)) unexpected = error;
    end = await toFailure(acting, requestId, error, item.undoing);
    if (item.undoing && end.operationId === null && isDomainError(error) && error.isTemporary) {
      const why = { code: error.code, message: postponements[error.code] ?? error.message };
      await ctx.leases.persist(() => postponeBulkItem(ctx.db, lease, item.id, why, ctx.now()), {
        forMs: RECORD_WITHIN_MS,
      });
      return { ended: false, unexpected };
    }
  }
  await recordEnd(ctx, running, item, end);
  return { ended: true, unexpected };
}

/** With what the item has written. If the lease is lost, nothing of it remains: another worker runs the item. */
async function recordEnd(
  ctx: ServiceContext,
  { lease, pending }: RunningItem,
  { id }: StartedBulkItem,
  end: BulkItemEnd,
): Promise<void> {
  if (!pending.hasBegun()) {
    await ctx.leases.persist(() => endBulkItem(ctx.db, lease, id, end, ctx.now()), { forMs: RECORD_WITHIN_MS });
    return;
  }
  try {
    if (await endBulkItem(pending.writes, lease, id, end, ctx.now())) await pending.commit();
  } finally {
    await pending.rollback();
  }
}

/** A revert completes what the user was allowed to start: a role that was taken away since does not stop it half-way. */
function toActor(job: ClaimedBulkJob, { undoing }: StartedBulkItem): ServiceContext["actor"] {
  const { actorKind, userId, isSandbox, resellerId } = job;
  const adminRole = job.adminRole !== null && undoing ? "owner" : job.adminRole;
  const userRole = undoing ? "owner" : job.userRole;
  if (adminRole === null) {
    return { kind: "reseller_user", userId, resellerId, role: isSandbox ? sandboxRole(userRole) : userRole };
  }
  if (actorKind === "admin") return { kind: actorKind, userId, resellerId, role: adminRole };
  return { kind: actorKind, userId, resellerId, role: actingRole(adminRole), actingAdmin: true };
}

/** Null if no operation was started, or if it was rejected. */
async function resume(
  ctx: ServiceContext,
  requestId: string,
  state: BulkItemEnd["state"],
): Promise<BulkItemEnd | null> {
  const earlier = await findOperationOfRequest(ctx.db, requestId);
  if (!earlier) return null;
  const operation = await resumeOperation(ctx, earlier);
  if (operation.state === "rejected") return null;
  return { state, code: null, message: null, operationId: operation.id };
}

async function start(
  ctx: ServiceContext,
  job: ClaimedBulkJob,
  item: StartedBulkItem,
  state: BulkItemEnd["state"],
): Promise<BulkItemEnd> {
  const step = await bulkKindRunners[job.kind][item.undoing ? "undo" : "run"](ctx, toBulkItem(job, item));
  if ("skipped" in step) return { state: "skipped", ...step.skipped, operationId: null };
  return { state, code: null, message: null, operationId: step.operationId };
}

/** Nothing to finish if the operation was rejected meanwhile. */
async function finish(ctx: ServiceContext, job: ClaimedBulkJob, item: StartedBulkItem): Promise<void> {
  const runner = bulkKindRunners[job.kind];
  const licenseId = runner.finish && (await findOperationOfRequest(ctx.db, ctx.requestId))?.license_id;
  if (licenseId) await runner.finish?.(ctx, toBulkItem(job, item), licenseId as LicenseId);
}

function toBulkItem({ parameters }: ClaimedBulkJob, { id, licenseId, bundleInstanceId, input }: StartedBulkItem) {
  return {
    id,
    licenseId: licenseId as LicenseId | null,
    bundleInstanceId: bundleInstanceId as BundleInstanceId | null,
    parameters,
    input,
  };
}

/** The operation, if it started before the failure, can still succeed. */
async function toFailure(
  ctx: ServiceContext,
  requestId: string,
  error: unknown,
  undoing: boolean,
): Promise<BulkItemEnd> {
  const operation = await findOperationOfRequest(ctx.db, requestId);
  const { code, message } = isDomainError(error)
    ? error
    : { code: "internal", message: "Something went wrong on our side." };
  return {
    state: "failed",
    code,
    message: undoing ? `Not reverted: ${message}` : message,
    operationId: operation?.id ?? null,
  };
}
