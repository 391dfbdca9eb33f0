import { isOpen, type OperationState } from "#lib/domain/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { listDueOperations, reconcileOpenOperation } from "#lib/services/operation/reconcile.ts";

export interface OperationWorker {
  /** Stops claiming and waits for operations in progress. */
  stop(): Promise<void>;
}

export interface OperationWorkerOptions {
  readonly logSettled: (outcome: { readonly operationId: string; readonly state: OperationState }) => void;
  readonly logError: (error: unknown) => void;
  readonly sweepEveryMs?: number;
}

const SWEEP_EVERY_MS = 500;
const SWEEP_AFTER_ERROR_MS = 2_000;
/** Share of the interval; spreads instances that started together. */
const JITTER = 0.2;
/** Concurrent operations: one unresponsive provider must not block the others. */
const SLOTS = 20;

/**
 * Settles abandoned operations: immediately if their process died, and when due if their outcome is unknown. Safe on
 * several instances: the database assigns each operation to one of them.
 */
export function startOperationWorker(
  ctx: ServiceContext,
  { logSettled, logError, sweepEveryMs = SWEEP_EVERY_MS }: OperationWorkerOptions,
): OperationWorker {
  const underWay = new Map<string, Promise<void>>();
  let stopped = false;
  let timer: NodeJS.Timeout;
  let sweeping: Promise<void> = Promise.resolve();

  function begin(operationId: string): void {
    const asking = reconcileOpenOperation(ctx, { operationId, early: false })
      .then((state) => {
        if (state !== null && !isOpen(state)) logSettled({ operationId, state });
      }, report)
      .finally(() => underWay.delete(operationId));
    underWay.set(operationId, asking);
  }

  function report(error: unknown): void {
    if (!stopped) logError(error);
  }

  async function sweep(): Promise<void> {
    const limit = SLOTS - underWay.size;
    if (limit <= 0) return;
    for (const id of await listDueOperations(ctx, { except: [...underWay.keys()], limit })) begin(id);
  }

  // Scheduled after the previous run, so runs never overlap.
  const schedule = (afterMs: number) => {
    if (stopped) return;
    const delayMs = afterMs * (1 + JITTER * (2 * Math.random() - 1));
    timer = setTimeout(() => {
      sweeping = sweep().then(
        () => schedule(sweepEveryMs),
        (error) => {
          report(error);
          schedule(SWEEP_AFTER_ERROR_MS);
        },
      );
    }, delayMs).unref();
  };
  schedule(sweepEveryMs);

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
      await Promise.all(underWay.values());
    },
  };
}
