import { setTimeout as sleep } from "node:timers/promises";
import { findOperation, type OperationRow } from "#lib/db/operation/operation.ts";
import { isOpen } from "#lib/domain/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { claimOpenOperation } from "./lease.ts";
import { reconcileOperation } from "./reconcile.ts";

/** How long a request waits for a process that is at its operation. */
const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 50;

/**
 * The outcome of an operation that an earlier request began. Asks the provider if the process that ran it has died or
 * given up; waits a moment for one that is still at it. Returns the operation as it is then, open or ended.
 */
export async function resumeOperation(ctx: ServiceContext, operation: OperationRow): Promise<OperationRow> {
  const { id } = operation;
  const giveUpAtMs = performance.now() + WAIT_MS;
  for (let latest = operation; ; latest = (await findOperation(ctx.db, id)) ?? latest) {
    if (!isOpen(latest.state)) return latest;
    const claimed = await claimOpenOperation(ctx, { id, early: true });
    if (claimed) return reconcileOperation(ctx, claimed);
    if (performance.now() >= giveUpAtMs) return latest;
    await sleep(LOOK_EVERY_MS);
  }
}
