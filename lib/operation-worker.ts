import { isOpen, type OperationState } from "#lib/domain/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { listDueOperations, reconcileOpenOperation } from "#lib/services/operation/reconcile.ts";
import { type BackgroundLoop, startLoop } from "./background-loop.ts";

export interface OperationWorkerOptions {
  readonly logSettled: (outcome: { readonly operationId: string; readonly state: OperationState }) => void;
  readonly logError: (error: unknown) => void;
  readonly sweepEveryMs?: number;
}

const SWEEP_EVERY_MS = 500;
const SWEEP_AFTER_ERROR_MS = 2_000;
/** Concurrent operations: one unresponsive provider must not block the others. */
const SLOTS = 20;

/**
 * Settles abandoned operations: immediately if their process died, and when due if their outcome is unknown. Safe on
 * several instances: the database assigns each operation to one of them.
 */
export function startOperationWorker(
  ctx: ServiceContext,
  { logSettled, logError, sweepEveryMs = SWEEP_EVERY_MS }: OperationWorkerOptions,
): Pick<BackgroundLoop<unknown>, "stop"> {
  async function ask(operationId: string): Promise<void> {
    const state = await reconcileOpenOperation(ctx, { operationId, early: false });
    if (state !== null && !isOpen(state)) logSettled({ operationId, state });
  }

  return startLoop<string>({
    async poll({ underWay, begin }) {
      const limit = SLOTS - underWay.size;
      if (limit <= 0) return false;
      for (const id of await listDueOperations(ctx, { except: [...underWay.keys()], limit })) begin(id, ask(id));
      return false;
    },
    everyMs: sweepEveryMs,
    afterErrorMs: SWEEP_AFTER_ERROR_MS,
    logError,
  });
}
