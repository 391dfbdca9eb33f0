import {
  type BegunBulkItem,
  type BulkItemEnd,
  type ClaimedBulkJob,
  endBulkItem,
  findOperationOfRequest,
} from "#lib/db/bulk-run.ts";
import { bulkRequestId } from "#lib/domain/bulk.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { BundleInstanceId, LicenseId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { reconcileOperation } from "#lib/services/operation/reconcile.ts";
import { bulkKindRunners } from "./kinds.ts";

/**
 * Does, or takes back, one item in the name of whoever started its job, and writes how it ended. What a worker that died
 * has begun is not begun again: its operation is asked about. Returns what failed unexpectedly, for the log, or null.
 */
export async function doBulkItem(
  ctx: ServiceContext,
  job: ClaimedBulkJob,
  item: BegunBulkItem,
  token: string,
): Promise<unknown> {
  const requestId = bulkRequestId(item.id, item.undoing ? "undo" : "do");
  const acting: ServiceContext = { ...ctx, actor: actorOf(job), requestId, idempotencyKey: null };
  const done = item.undoing ? "undone" : "succeeded";
  let end: BulkItemEnd;
  let unexpected: unknown = null;
  try {
    end = (await resume(acting, requestId, done)) ?? (await begin(acting, job, item, done));
  } catch (error) {
    if (!isDomainError(error)) unexpected = error;
    end = await endAfter(acting, requestId, error, item.undoing);
  }
  await endBulkItem(ctx.db, item.id, token, end, ctx.now());
  return unexpected;
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
  const operation = await reconcileOperation(ctx, earlier);
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
