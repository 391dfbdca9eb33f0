import { findOperation } from "#lib/db/operation/operation.ts";
import { type CaseDecision, type CaseStatement, decideCase, hasCaseChanged } from "#lib/db/reconciliation/action.ts";
import type { CaseDetails } from "#lib/db/reconciliation/details.ts";
import { actionMoney, offerAction, settlesCores } from "#lib/domain/case-offer.ts";
import { DomainError, invalidParameters } from "#lib/domain/errors.ts";
import { readPlan } from "#lib/domain/operation-plan.ts";
import { actionRule, type CaseAction, type CaseKind, type CaseResolution } from "#lib/domain/reconciliation.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { askAgain } from "./ask-again.ts";
import { chargeTerm } from "./charge-term.ts";
import { type CaseSituation, readSituation } from "./circumstances.ts";
import { correctProvider } from "./correct.ts";
import { getCaseDetails } from "./get-case.ts";
import { caseChanged } from "./operate.ts";
import { settleCores } from "./settle-cores.ts";
import { takeOver } from "./take-over.ts";

const MAX_REASON_LENGTH = 1_000;

export interface ActInput {
  readonly caseId: number;
  readonly action: CaseAction;
  /** Kept with the case, the ledger's entries and the audit entry. */
  readonly reason: string;
  /** Of the case as the admin saw it; without it the case as it is now. */
  readonly fingerprint?: string | undefined;
  /** What the action was said to move in the wallet, in minor units: if it moves something else, nothing happens. */
  readonly agreedWallet?: bigint | undefined;
}

/** `open`: the provider's answer is still unclear. */
export type ActResult = { readonly resolution: Exclude<CaseResolution, "agrees"> | "open" };

/** How each action is carried out: a statement of `decideCase`, or a service. Null: `actionRules` rules it out. */
const means = {
  unknown_outcome: {
    ask_again: "ask",
    adopt: "charge_unknown",
    charge: null,
    correct: null,
    refund: "release_unknown",
    dismiss: null,
  },
  charged_not_provisioned: {
    ask_again: null,
    adopt: "end",
    charge: null,
    correct: "correct",
    refund: "refund",
    dismiss: "dismiss",
  },
  provisioned_not_charged: {
    ask_again: null,
    adopt: "restore",
    charge: null,
    correct: "correct",
    refund: null,
    dismiss: "dismiss",
  },
  unknown_at_ours: { ask_again: null, adopt: null, charge: null, correct: "correct", refund: null, dismiss: "dismiss" },
  late_success: {
    ask_again: null,
    adopt: "adopt_late_success",
    charge: null,
    correct: "correct",
    refund: "refund",
    dismiss: "dismiss",
  },
  differs: {
    ask_again: null,
    adopt: "take_over",
    charge: "renew",
    correct: "correct",
    refund: "refund_difference",
    dismiss: "dismiss",
  },
} as const satisfies Record<CaseKind, Record<CaseAction, Means | null>>;
type Means = CaseStatement | "ask" | "correct" | "take_over" | "renew" | "refund_difference";

/**
 * Does what the case offers, once: of two admins at a time, the second gets `conflict`. Where nothing is asked of the
 * provider, the case, what it changes, and the audit entry are one transaction.
 * @throws DomainError `permission_denied`, `not_found`, `parameters_invalid` (no reason), `conflict` (another admin has
 *   dealt with it, or it has changed), `state_invalid`, `insufficient_balance`, `provider_rejected`, `provider_unavailable`
 */
export async function actOnCase(ctx: ServiceContext, input: ActInput): Promise<ActResult> {
  requireAdmin(ctx);
  const reason = input.reason.trim();
  if (reason === "" || reason.length > MAX_REASON_LENGTH) {
    throw invalidParameters([
      { field: "reason", kind: "missing", message: `must say why, in at most ${MAX_REASON_LENGTH} characters` },
    ]);
  }
  const details = await getCaseDetails(ctx, input.caseId);
  if (details.resolvedAt !== null) throw new DomainError("conflict", "This case is closed already.");
  const situation = await readSituation(ctx, details);
  const rule = offerAction(situation.circumstances, input.action);
  if (!rule.possible) {
    const prevented = actionRule(details.kind, input.action).possible;
    if (prevented && (await hasCaseChanged(ctx.db, details))) throw caseChanged();
    throw new DomainError("state_invalid", rule.reason);
  }
  const { wallet } = actionMoney(situation.circumstances, input.action);
  const agreedWallet = input.agreedWallet ?? wallet;
  if (agreedWallet !== wallet && !settlesCores(situation.circumstances, input.action)) {
    throw new DomainError("conflict", "What this moves has changed. Look at the case again.");
  }
  const decision: CaseDecision = {
    caseId: details.id,
    fingerprint: input.fingerprint ?? details.fingerprint,
    reason,
    by: changedBy(ctx),
  };
  return { resolution: await carryOut(ctx, input.action, { details, situation, agreedWallet }, decision) };
}

/** Kinds whose decision settles the operation by its plan. */
const appliesPlan: ReadonlySet<CaseKind> = new Set(["unknown_outcome", "late_success"]);

async function requireReadablePlan(ctx: ServiceContext, operationId: string | null): Promise<void> {
  const operation = operationId === null ? null : await findOperation(ctx.db, operationId);
  if (operation) readPlan(operation);
}

interface Subject {
  readonly details: CaseDetails;
  readonly situation: CaseSituation;
  /** Minor units. */
  readonly agreedWallet: bigint;
}

async function carryOut(
  ctx: ServiceContext,
  action: CaseAction,
  subject: Subject,
  decision: CaseDecision,
): Promise<ActResult["resolution"]> {
  const { details, situation } = subject;
  const way: Means | null = means[details.kind][action];
  if ((action === "charge" || action === "refund") && settlesCores(situation.circumstances, action)) {
    return settleCores(ctx, subject, decision, { action, agreedPrice: -subject.agreedWallet });
  }
  switch (way) {
    case null:
      throw new DomainError("state_invalid", "This makes no sense for this kind of case.");
    case "ask":
      return askAgain(ctx, details, decision);
    case "correct":
      return correctProvider(ctx, subject, decision);
    case "renew":
      return chargeTerm(ctx, subject, decision);
    case "take_over":
      await takeOver(ctx, situation, decision, { refund: false });
      return "adopted";
    case "refund_difference":
      if (details.facts.differing.includes("product")) await decideCase(writesOf(ctx), "refund", decision);
      else await takeOver(ctx, situation, decision, { refund: true });
      return "refunded";
    default:
      if (appliesPlan.has(details.kind)) await requireReadablePlan(ctx, details.operationId);
      await decideCase(writesOf(ctx), way, decision);
      return action === "refund" ? "refunded" : action === "dismiss" ? "dismissed" : "adopted";
  }
}
