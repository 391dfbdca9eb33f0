import { listFreeOperations, postponeOperation } from "#lib/db/operation/lease.ts";
import { findOperation, type OperationRow } from "#lib/db/operation/operation.ts";
import { type Settlement, settleOperation } from "#lib/db/operation/outcome.ts";
import type { OperationState } from "#lib/domain/operation.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { askProvider } from "./ask-provider.ts";
import { abandonOperation, type ClaimedOperation, claimOpenOperation } from "./lease.ts";

const BATCH_SIZE = 50;
const CONCURRENT = 8;
const ASK_AGAIN_AFTER_MS = 30_000;
/** How long a claim is kept for a database that is away. */
const RECORD_WITHIN_MS = 10_000;

export interface ReconciliationSummary {
  readonly asked: number;
  readonly succeeded: number;
  readonly rejected: number;
  readonly stillOpen: number;
}

/**
 * Settles what the provider left unclear, also operations whose process died: asks it by our reference, once each.
 * @param unknownNow also those that were asked about a moment ago
 */
export async function reconcileOperations(
  ctx: ServiceContext,
  { unknownNow }: { readonly unknownNow: boolean },
): Promise<ReconciliationSummary> {
  requireAdmin(ctx);
  const summary = { asked: 0, succeeded: 0, rejected: 0, stillOpen: 0 };
  const seen: string[] = [];
  const ask = async (operationId: string) => {
    const state = await reconcileOpenOperation(ctx, { operationId, early: unknownNow });
    if (state === null) return;
    summary.asked += 1;
    if (state === "succeeded") summary.succeeded += 1;
    else if (state === "rejected") summary.rejected += 1;
    else summary.stillOpen += 1;
  };
  for (;;) {
    const ids = await listFreeOperations(ctx.db, { early: unknownNow, except: seen, limit: BATCH_SIZE });
    seen.push(...ids);
    const queue = ids.values();
    const askOneByOne = async () => {
      for (const id of queue) await ask(id);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, askOneByOne));
    if (ids.length < BATCH_SIZE) return summary;
  }
}

/** Open operations that nobody is at and that are due; those whose process died first. */
export async function listDueOperations(
  ctx: ServiceContext,
  list: { readonly except: readonly string[]; readonly limit: number },
): Promise<readonly string[]> {
  requireAdmin(ctx);
  return listFreeOperations(ctx.db, { early: false, ...list });
}

/** Asks the provider about one operation. Its state afterwards; null: it has ended, a process is at it, or it is not due. */
export async function reconcileOpenOperation(
  ctx: ServiceContext,
  { operationId, early }: { readonly operationId: string; readonly early: boolean },
): Promise<OperationState | null> {
  requireAdmin(ctx);
  const claimed = await claimOpenOperation(ctx, { id: operationId, early });
  return claimed && (await reconcileOperation(ctx, claimed)).state;
}

/**
 * Asks the provider what became of a claimed operation and settles it when the answer is clear; otherwise it is asked
 * about again later. Returns the operation as it is afterwards.
 */
export async function reconcileOperation(
  ctx: ServiceContext,
  { operation, lease }: ClaimedOperation,
): Promise<OperationRow> {
  const { id } = operation;
  const persist = <Result>(write: () => Promise<Result>) => ctx.leases.persist(write, { forMs: RECORD_WITHIN_MS });
  try {
    const verdict = await askProvider(ctx, operation, lease);
    if (verdict.kind === "unclear") {
      await persist(() => postponeOperation(ctx.db, lease, id, ASK_AGAIN_AFTER_MS));
    } else if (verdict.kind === "clear") {
      const settlement: Settlement = { ...verdict.settlement, reconciled: true };
      const settled = await persist(() => settleOperation(ctx.db, lease, id, settlement, ctx.now()));
      if (settled) return settled;
    }
    return (await findOperation(ctx.db, id)) ?? operation;
  } catch (error) {
    abandonOperation(ctx, lease, id);
    throw error;
  }
}
