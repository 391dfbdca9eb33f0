import { unavailable } from "#lib/db/connection/errors.ts";
import { findOperation, type OperationRow } from "#lib/db/operation/operation.ts";
import { markOperationSent, markOperationUnknown, settleOperation } from "#lib/db/operation/outcome.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { OperationPlan } from "#lib/domain/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { providerUnavailable } from "#lib/services/provider/get.ts";
import { executePlan, type PlanOutcome } from "./execute-plan.ts";
import { abandonOperation, type Lease } from "./lease.ts";

const ASK_AGAIN_AFTER_MS = 30_000;
/** How long the caller waits for a database that is away to take down the outcome. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Calls the provider and records how it ended; returns the operation as it is then. Where another process has claimed the
 * operation meanwhile, nothing more is sent or recorded, and what that one has recorded is returned.
 * @throws DomainError `provider_unavailable` when it could not be reached, `unavailable` when another process has ended the
 *   operation without success: nothing was done, nothing is held.
 */
export async function sendOperation(
  ctx: ServiceContext,
  id: string,
  plan: OperationPlan,
  lease: Lease,
): Promise<OperationRow> {
  let outcome: PlanOutcome;
  let settled: OperationRow | null;
  try {
    const isMine = await markOperationSent(ctx.db, lease, id, ctx.now());
    outcome = isMine ? await executePlan(ctx, plan, lease) : { kind: "withheld" };
    settled = outcome.kind === "withheld" ? null : await recordOutcome(ctx, lease, id, outcome);
  } catch (error) {
    abandonOperation(ctx, lease, id);
    throw error;
  }
  const operation = settled ?? (await getOperation(ctx, id));
  if (operation.state === "rejected") {
    // As another process found it, perhaps because this one was held up: nobody has refused the request.
    if (operation.lease_token !== lease.token) throw unavailable();
    if (outcome.kind === "not_sent") throw providerUnavailable();
  }
  return operation;
}

/**
 * A database that fails only now fails no request, whose change may be done: the outcome is written as soon as the
 * database is back, and the caller is told that it is pending (contract 3.11). Null: not settled by this claim.
 */
async function recordOutcome(
  ctx: ServiceContext,
  lease: Lease,
  id: string,
  outcome: Exclude<PlanOutcome, { readonly kind: "withheld" }>,
): Promise<OperationRow | null> {
  const record = (late: boolean) => writeOutcome(ctx, lease, id, outcome, late);
  try {
    return await ctx.leases.persist(() => record(false), { forMs: ANSWER_WITHIN_MS });
  } catch (error) {
    if (!isDomainError(error) || error.code !== "unavailable") throw error;
    void ctx.leases.persist(() => record(true)).catch(() => abandonOperation(ctx, lease, id));
    return null;
  }
}

/** `late`: the caller was told that the outcome is pending, and an event tells it now. */
async function writeOutcome(
  ctx: ServiceContext,
  lease: Lease,
  id: string,
  outcome: Exclude<PlanOutcome, { readonly kind: "withheld" }>,
  late: boolean,
): Promise<OperationRow | null> {
  if (outcome.kind === "unknown") {
    await markOperationUnknown(ctx.db, lease, id, { message: outcome.message, askAfterMs: ASK_AGAIN_AFTER_MS });
    return null;
  }
  const settlement =
    outcome.kind === "succeeded"
      ? { succeeded: true, failureMessage: null, references: outcome.references, reconciled: late }
      : { succeeded: false, failureMessage: outcome.message, references: {}, reconciled: late };
  return settleOperation(ctx.db, lease, id, settlement, ctx.now());
}

async function getOperation(ctx: ServiceContext, id: string): Promise<OperationRow> {
  const operation = await findOperation(ctx.db, id);
  if (!operation) throw new Error(`operation ${id} is gone`);
  return operation;
}
