import { isOpen, type OperationState } from "#lib/domain/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { listDueOperations, reconcileOpenOperation } from "#lib/services/operation/reconcile.ts";

export interface OperationWorker {
  /** Claims no more operations, and waits for those under way. */
  stop(): Promise<void>;
}

export interface OperationWorkerOptions {
  readonly logSettled: (outcome: { readonly operationId: string; readonly state: OperationState }) => void;
  readonly logError: (error: unknown) => void;
  readonly sweepEveryMs?: number;
}

const SWEEP_EVERY_MS = 500;
const SWEEP_AFTER_ERROR_MS = 2_000;
/** Of the interval: instances that were started together drift apart. */
const JITTER = 0.2;
/** Operations under way at a time: a provider that does not answer must not hold up those of another. */
const SLOTS = 20;

/**
 * Settles open operations that nobody is at: those whose process died, at once, and those whose outcome is unknown,
 * when they are due. Any number of instances may: the database gives each operation to one of them.
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

  // The next one is set when one has ended: never two at once.
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
