import { listFreeOperations, postponeOperation } from "#lib/db/operation/lease.ts";
import { findOperation, type OperationRow } from "#lib/db/operation/operation.ts";
import { type Settlement, settleOperation } from "#lib/db/operation/outcome.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { OperationState } from "#lib/domain/operation.ts";
import { traced } from "#lib/domain/trace.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";
import { askProvider } from "./ask-provider.ts";
import { abandonOperation, type ClaimedOperation, claimOpenOperation } from "./lease.ts";

const BATCH_SIZE = 50;
const CONCURRENT = 8;
const ASK_AGAIN_AFTER_MS = 30_000;
/** How long to retry recording while the database is unavailable. */
const RECORD_WITHIN_MS = 10_000;

export interface ReconciliationSummary {
  readonly asked: number;
  readonly succeeded: number;
  readonly rejected: number;
  readonly stillOpen: number;
}

/**
 * Settles unowned open operations by asking the provider once each by our reference.
 * @param early also those that are not due yet
 */
export async function reconcileOperations(
  ctx: ServiceContext,
  { early }: { readonly early: boolean },
): Promise<ReconciliationSummary> {
  requireSystem(ctx);
  const summary = { asked: 0, succeeded: 0, rejected: 0, stillOpen: 0 };
  const seen: string[] = [];
  const ask = async (operationId: string) => {
    const state = await reconcileOpenOperation(ctx, { operationId, early });
    if (state === null) return;
    summary.asked += 1;
    if (state === "succeeded") summary.succeeded += 1;
    else if (state === "rejected") summary.rejected += 1;
    else summary.stillOpen += 1;
  };
  for (;;) {
    const ids = await listFreeOperations(ctx.db, { early, except: seen, limit: BATCH_SIZE });
    seen.push(...ids);
    const queue = ids.values();
    const askOneByOne = async () => {
      for (const id of queue) await ask(id);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, askOneByOne));
    if (ids.length < BATCH_SIZE) return summary;
  }
}

/** Due open operations without an owner; those whose process died come first. */
export async function listDueOperations(
  ctx: ServiceContext,
  list: { readonly except: readonly string[]; readonly limit: number },
): Promise<readonly string[]> {
  requireSystem(ctx);
  return listFreeOperations(ctx.db, { early: false, ...list });
}

/** Returns the state after asking; null if the operation is settled, owned or not due. */
export async function reconcileOpenOperation(
  ctx: ServiceContext,
  { operationId, early }: { readonly operationId: string; readonly early: boolean },
): Promise<OperationState | null> {
  requireSystem(ctx);
  const claimed = await claimOpenOperation(ctx, { id: operationId, early });
  if (!claimed) return null;
  const request = { id: claimed.operation.request_id, role: "continues" } as const;
  return traced({ name: "reconcile", request }, async (span) => {
    const { state } = await reconcileOperation(ctx, claimed);
    span.set({ "license_desk.state": state });
    return state;
  });
}

/**
 * Asks the provider about a claimed operation. Settles it if the answer is clear, otherwise postpones it. Returns the
 * latest operation.
 */
export async function reconcileOperation(
  ctx: ServiceContext,
  { operation, lease }: ClaimedOperation,
): Promise<OperationRow> {
  const { id } = operation;
  const persist = <Result>(write: () => Promise<Result>) => ctx.leases.persist(write, { forMs: RECORD_WITHIN_MS });
  const postpone = () => persist(() => postponeOperation(ctx.db, lease, operation, ASK_AGAIN_AFTER_MS));
  try {
    const verdict = await askProvider(ctx, operation, lease);
    if (verdict.kind === "unclear") {
      await postpone();
    } else if (verdict.kind === "clear") {
      const settlement: Settlement = { ...verdict.settlement, reconciled: true };
      const settled = await persist(() => settleOperation(ctx.db, lease, operation, settlement, ctx.now()));
      if (settled) return { ...settled, plan: operation.plan };
    }
    return (await findOperation(ctx.db, id)) ?? operation;
  } catch (error) {
    // What fails for another reason than an outage fails again, as a plan of another version does: later, not in a loop.
    const isOutage = isDomainError(error) && error.code === "unavailable";
    if (isOutage) abandonOperation(ctx, lease, id);
    else await postpone().catch(() => abandonOperation(ctx, lease, id));
    throw error;
  }
}
