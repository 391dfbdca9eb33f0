import {
  type BegunBulkItem,
  type BulkItemEnd,
  type ClaimedBulkJob,
  endBulkItem,
  findOperationOfRequest,
  requeueBulkItem,
} from "#lib/db/bulk/run.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import { bulkRequestId } from "#lib/domain/bulk.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { BundleInstanceId, LicenseId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { resumeOperation } from "#lib/services/operation/resume.ts";
import { bulkKindRunners } from "./kinds.ts";

/** How long the end of an item is kept for a database that is away. */
const RECORD_WITHIN_MS = 10_000;

/**
 * Does, or takes back, one item in the name of whoever started its job, and writes how it ended. What a worker that died
 * has begun is not begun again: its operation is asked about. What a suspension of the reseller keeps from being charged
 * is put back: `ended` is false. `unexpected`: what failed for reasons of ours, for the log, or null.
 */
export async function doBulkItem(
  ctx: ServiceContext,
  job: ClaimedBulkJob,
  item: BegunBulkItem,
  lease: Lease,
): Promise<{ readonly ended: boolean; readonly unexpected: unknown }> {
  const requestId = bulkRequestId(item.id, item.undoing ? "undo" : "do");
  const acting: ServiceContext = { ...ctx, actor: actorOf(job), requestId, claim: null };
  const done = item.undoing ? "undone" : "succeeded";
  let end: BulkItemEnd;
  let unexpected: unknown = null;
  try {
    end = (await resume(acting, requestId, done)) ?? (await begin(acting, job, item, done));
  } catch (error) {
    if (isDomainError(error) && error.code === "reseller_suspended") {
      await ctx.leases.persist(() => requeueBulkItem(ctx.db, lease, item.id), { forMs: RECORD_WITHIN_MS });
      return { ended: false, unexpected };
    }
    if (!isDomainError(error)) unexpected = error;
    end = await endAfter(acting, requestId, error, item.undoing);
  }
  await ctx.leases.persist(() => endBulkItem(ctx.db, lease, item.id, end, ctx.now()), { forMs: RECORD_WITHIN_MS });
  return { ended: true, unexpected };
}

function actorOf({ actorKind, userId, userIsAdmin, resellerId }: ClaimedBulkJob): ServiceContext["actor"] {
  if (actorKind === "admin") return { kind: actorKind, userId, resellerId };
  return { kind: actorKind, userId, resellerId, ...(userIsAdmin ? { actingAdmin: true } : {}) };
}

/** Null: nothing has been begun, or it came to nothing. */
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

async function begin(
  ctx: ServiceContext,
  job: ClaimedBulkJob,
  { id, licenseId, bundleInstanceId, input, undoing }: BegunBulkItem,
  state: BulkItemEnd["state"],
): Promise<BulkItemEnd> {
  const runner = bulkKindRunners[job.kind];
  const step = await runner[undoing ? "undo" : "run"](ctx, {
    id,
    licenseId: licenseId as LicenseId | null,
    bundleInstanceId: bundleInstanceId as BundleInstanceId | null,
    parameters: job.parameters,
    input,
  });
  if ("skipped" in step) return { state: "skipped", ...step.skipped, operationId: null };
  return { state, code: null, message: null, operationId: step.operationId };
}

/** A failure that came after the operation had begun says nothing of how that ends. */
async function endAfter(
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
    message: undoing ? `Not taken back: ${message}` : message,
    operationId: operation?.id ?? null,
  };
}
