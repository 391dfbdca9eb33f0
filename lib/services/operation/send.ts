import { unavailable } from "#lib/db/connection/errors.ts";
import { findOperation, type OperationKey, type OperationRow } from "#lib/db/operation/operation.ts";
import {
  markOperationSent,
  markOperationUnknown,
  type SettledOperation,
  settleOperation,
} from "#lib/db/operation/outcome.ts";
import { type DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { OperationPlan } from "#lib/domain/operation-plan.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { providerBusy, providerUnavailable } from "#lib/services/provider/get.ts";
import { recordAddressLookup } from "./address-lookup.ts";
import { executePlan, type PlanOutcome } from "./execute-plan.ts";
import { abandonOperation, type Lease } from "./lease.ts";
import { recordProviderLookup } from "./provider-lookup.ts";
import { reportOtherCharges } from "./report-charges.ts";

const ASK_AGAIN_AFTER_MS = 30_000;
/** How long the caller waits for an unavailable database to record the outcome. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * `isAddressTaken`: the provider has just rejected it because a live license has the address. `isReverted`: the provider was
 * unavailable after a part of it, which was reverted.
 */
export type SentOperation = OperationRow & { readonly isAddressTaken?: boolean; readonly isReverted?: boolean };

/**
 * Calls the provider, records the outcome and returns the operation. If another process has claimed it meanwhile, stops
 * sending and recording, and returns what that process recorded.
 * @throws DomainError `provider_unavailable`, `provider_busy`; `unavailable` if another process ended the operation without
 *   success. In these cases nothing was done and nothing is held.
 */
export async function sendOperation(
  ctx: ServiceContext,
  key: OperationKey,
  plan: OperationPlan,
  lease: Lease,
): Promise<SentOperation> {
  let outcome: PlanOutcome;
  let settled: SettledOperation | null;
  try {
    const hasLease = await markOperationSent(ctx.db, lease, key, ctx.now());
    outcome = hasLease ? await executePlan(ctx, key.reseller_id, plan, lease) : { kind: "withheld" };
    settled = outcome.kind === "withheld" ? null : await recordOutcome(ctx, lease, key, outcome);
  } catch (error) {
    abandonOperation(ctx, lease, key.id);
    throw error;
  }
  if (outcome.kind === "succeeded") await reportOtherCharges(ctx, plan.provider, outcome.charges);
  const operation = settled ? { ...settled, plan } : await getOperation(ctx, key.id);
  if (operation.state === "rejected") {
    // Settled by another process, perhaps because this one stalled: the provider has not rejected the request.
    if (operation.lease_token !== lease.token) throw unavailable();
    if (outcome.kind === "not_sent") throw refusalOf(outcome);
    if (outcome.kind === "rejected" && (outcome.refusesAddress || outcome.isReverted)) {
      const resellerId = operation.reseller_id as ResellerId;
      await recordAddressLookup(ctx, resellerId);
      await recordProviderLookup(ctx, resellerId, plan.provider);
      const { refusesAddress: isAddressTaken = false, isReverted = false } = outcome;
      return { ...operation, isAddressTaken, isReverted };
    }
  }
  return operation;
}

/**
 * Returns null if this claim did not settle the operation. The change may be done, so an unavailable database does not
 * fail the request: it is pending (contract 3.11), and the outcome is recorded once the database is back.
 */
async function recordOutcome(
  ctx: ServiceContext,
  lease: Lease,
  key: OperationKey,
  outcome: Exclude<PlanOutcome, { readonly kind: "withheld" }>,
): Promise<SettledOperation | null> {
  const record = (late: boolean) => writeOutcome(ctx, lease, key, outcome, late);
  try {
    return await ctx.leases.persist(() => record(false), { forMs: ANSWER_WITHIN_MS });
  } catch (error) {
    if (!isDomainError(error) || error.code !== "unavailable") throw error;
    void ctx.leases.persist(() => record(true)).catch(() => abandonOperation(ctx, lease, key.id));
    return null;
  }
}

/** `late`: the caller was answered "pending", so an event reports the outcome. */
async function writeOutcome(
  ctx: ServiceContext,
  lease: Lease,
  key: OperationKey,
  outcome: Exclude<PlanOutcome, { readonly kind: "withheld" }>,
  late: boolean,
): Promise<SettledOperation | null> {
  if (outcome.kind === "unknown") {
    const { message } = outcome;
    await markOperationUnknown(ctx.db, lease, key, { message, askAfterMs: ASK_AGAIN_AFTER_MS, now: ctx.now() });
    return null;
  }
  const settlement =
    outcome.kind === "succeeded"
      ? { succeeded: true, failureMessage: null, references: outcome.references, reconciled: late }
      : {
          succeeded: false,
          unsent: outcome.kind === "not_sent" && !late,
          failureMessage: outcome.message,
          references: {},
          reconciled: late,
        };
  return settleOperation(ctx.db, lease, key, settlement, ctx.now());
}

function refusalOf({ retryAfterMs }: Extract<PlanOutcome, { readonly kind: "not_sent" }>): DomainError {
  return retryAfterMs === undefined ? providerUnavailable() : providerBusy(retryAfterMs);
}

async function getOperation(ctx: ServiceContext, id: string): Promise<OperationRow> {
  const operation = await findOperation(ctx.db, id);
  if (!operation) throw new Error(`operation ${id} is gone`);
  return operation;
}
