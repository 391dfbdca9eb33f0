import {
  findOperation,
  markOperationSent,
  markOperationUnknown,
  type OperationRow,
  settleOperation,
} from "#lib/db/operation.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { OperationPlan } from "#lib/domain/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { providerUnavailable } from "#lib/services/provider/get.ts";
import { executePlan, type PlanOutcome } from "./execute-plan.ts";

const ASK_AGAIN_AFTER_MS = 30_000;

/**
 * Calls the provider and records how it ended; returns the operation as it is then.
 * @throws DomainError `provider_unavailable` when it could not be reached: nothing was sent, nothing is held.
 */
export async function sendOperation(ctx: ServiceContext, id: string, plan: OperationPlan): Promise<OperationRow> {
  if (!(await markOperationSent(ctx.db, id, ctx.now()))) return getOperation(ctx, id);
  const outcome = await executePlan(ctx.providers, plan);
  const operation = (await recordOutcome(ctx, id, outcome)) ?? (await getOperation(ctx, id));
  if (outcome.kind === "not_sent" && operation.state === "rejected") throw providerUnavailable();
  return operation;
}

/**
 * Null: it stays open, or somebody else has ended it. A database that fails only now fails no request, whose change may
 * be done: what it has recorded counts, and what it has not stays open and is asked about later (decisions 3.11).
 */
async function recordOutcome(ctx: ServiceContext, id: string, outcome: PlanOutcome): Promise<OperationRow | null> {
  try {
    if (outcome.kind === "unknown") {
      const askAt = new Date(ctx.now().getTime() + ASK_AGAIN_AFTER_MS);
      await markOperationUnknown(ctx.db, id, outcome.message, askAt);
      return null;
    }
    const settlement =
      outcome.kind === "succeeded"
        ? { succeeded: true, failureMessage: null, references: outcome.references, reconciled: false }
        : { succeeded: false, failureMessage: outcome.message, references: {}, reconciled: false };
    return await settleOperation(ctx.db, id, settlement, ctx.now());
  } catch (error) {
    if (isDomainError(error) && error.code === "unavailable") return null;
    throw error;
  }
}

async function getOperation(ctx: ServiceContext, id: string): Promise<OperationRow> {
  const operation = await findOperation(ctx.db, id);
  if (!operation) throw new Error(`operation ${id} is gone`);
  return operation;
}
