import { setTimeout as sleep } from "node:timers/promises";
import { findOperation, type OperationRow } from "#lib/db/operation/operation.ts";
import { isOpen } from "#lib/domain/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { claimOpenOperation } from "./lease.ts";
import { reconcileOperation } from "./reconcile.ts";

/** How long a request waits for the process that owns its operation. */
const WAIT_MS = 2_000;
const POLL_INTERVAL_MS = 50;

/**
 * Resumes an operation that an earlier request started: waits briefly for its owner, or asks the provider if it has none.
 * Returns the latest operation, which can still be open.
 */
export async function resumeOperation(ctx: ServiceContext, operation: OperationRow): Promise<OperationRow> {
  const { id } = operation;
  const deadlineMs = performance.now() + WAIT_MS;
  for (let latest = operation; ; latest = (await findOperation(ctx.db, id)) ?? latest) {
    if (!isOpen(latest.state)) return latest;
    const claimed = await claimOpenOperation(ctx, { id, early: true });
    if (claimed) return reconcileOperation(ctx, claimed);
    if (performance.now() >= deadlineMs) return latest;
    await sleep(POLL_INTERVAL_MS);
  }
}
