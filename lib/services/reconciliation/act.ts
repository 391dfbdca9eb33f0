import { findOperation } from "#lib/db/operation/operation.ts";
import {
  type CaseDecision,
  type CaseStatement,
  caseAmountChanged,
  decideCase,
  hasCaseChanged,
} from "#lib/db/reconciliation/action.ts";
import { actionMoney, settlesCores } from "#lib/domain/case-effects.ts";
import { offerAction } from "#lib/domain/case-offer.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { readPlan } from "#lib/domain/operation-plan.ts";
import { actionRule, type CaseAction, type CaseKind, type CaseResolution } from "#lib/domain/reconciliation.ts";
import { REASON_MAX_LENGTH } from "#lib/domain/text.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readRequired } from "#lib/services/read-text.ts";
import { adoptFacts } from "./adopt-facts.ts";
import { askAgain } from "./ask-again.ts";
import { caseChanged } from "./case-operation.ts";
import { chargeTerm } from "./charge-term.ts";
import { correctProvider } from "./correct.ts";
import { getCaseDetails } from "./get-case.ts";
import { type CaseSituation, readSituation } from "./read-situation.ts";
import { settleCores } from "./settle-cores.ts";

export interface ActInput {
  readonly caseId: number;
  readonly action: CaseAction;
  /** Stored with the case, its ledger entries and the audit entry. */
  readonly reason: string;
  /** Of the case that the admin saw; default: the current one. */
  readonly fingerprint?: string | undefined;
  /** Wallet amount that the admin saw, in minor units; any other amount is rejected. */
  readonly agreedWallet?: bigint | undefined;
}

/** `open`: the provider's answer is still unclear. */
export type ActResult = { readonly resolution: Exclude<CaseResolution, "agrees"> | "open" };

/** Handler of each action: a statement of `decideCase`, or a service. Absent: excluded by `actionRules`. */
const handlers: Readonly<Record<CaseKind, Readonly<Partial<Record<CaseAction, Handler>>>>> = {
  unknown_outcome: { ask_again: "ask", adopt: "charge_unknown", refund: "release_unknown" },
  charged_not_provisioned: { adopt: "end", correct: "correct", refund: "refund", dismiss: "dismiss" },
  provisioned_not_charged: { adopt: "restore", correct: "correct", dismiss: "dismiss" },
  unknown_at_ours: { correct: "correct", dismiss: "dismiss" },
  late_success: { adopt: "adopt_late_success", correct: "correct", refund: "refund", dismiss: "dismiss" },
  differs: {
    adopt: "adopt_facts",
    charge: "renew",
    correct: "correct",
    refund: "refund_difference",
    dismiss: "dismiss",
  },
};
type Handler = CaseStatement | "ask" | "correct" | "adopt_facts" | "renew" | "refund_difference";

/**
 * Runs an action of a case once: of two concurrent admins, the second gets `conflict`. Without a request to the provider,
 * the case, its changes and the audit entry are one transaction.
 * @throws DomainError `not_found`, `parameters_invalid` (no reason), `conflict` (closed by
 *   another admin, or changed), `state_invalid`, `insufficient_balance`, `provider_rejected`, `provider_unavailable`
 */
export async function actOnCase(ctx: ServiceContext, input: ActInput): Promise<ActResult> {
  requireAdmin(ctx, "cases:decide");
  const reason = readRequired(input.reason, "reason", REASON_MAX_LENGTH);
  const details = await getCaseDetails(ctx, input.caseId);
  if (details.resolvedAt !== null) throw new DomainError("conflict", "This case is closed already.");
  const situation = await readSituation(ctx, details);
  const rule = offerAction(situation.caseContext, input.action);
  if (!rule.possible) {
    const prevented = actionRule(details.kind, input.action).possible;
    if (prevented && (await hasCaseChanged(ctx.db, details))) throw caseChanged();
    throw new DomainError("state_invalid", rule.reason);
  }
  const { wallet } = actionMoney(situation.caseContext, input.action);
  const agreedWallet = input.agreedWallet ?? wallet;
  if (agreedWallet !== wallet && !settlesCores(situation.caseContext, input.action)) {
    throw caseAmountChanged();
  }
  const decision: CaseDecision = {
    caseId: details.id,
    fingerprint: input.fingerprint ?? details.fingerprint,
    reason,
    agreedWallet,
    by: changedBy(ctx),
  };
  return { resolution: await runAction(ctx, situation, decision, input.action) };
}

/** Kinds whose decision settles the operation by its plan. */
const appliesPlan: ReadonlySet<CaseKind> = new Set(["unknown_outcome", "late_success"]);

async function requireReadablePlan(ctx: ServiceContext, operationId: string | null): Promise<void> {
  const operation = operationId === null ? null : await findOperation(ctx.db, operationId);
  if (operation) readPlan(operation);
}

async function runAction(
  ctx: ServiceContext,
  situation: CaseSituation,
  decision: CaseDecision,
  action: CaseAction,
): Promise<ActResult["resolution"]> {
  const { details, caseContext } = situation;
  const handler = handlers[details.kind][action];
  if ((action === "charge" || action === "refund") && settlesCores(caseContext, action)) {
    return settleCores(ctx, situation, decision, action);
  }
  switch (handler) {
    case undefined:
      throw new DomainError("state_invalid", "This action does not apply to this kind of case.");
    case "ask":
      return askAgain(ctx, details, decision);
    case "correct":
      return correctProvider(ctx, situation, decision);
    case "renew":
      return chargeTerm(ctx, situation, decision);
    case "adopt_facts":
      await adoptFacts(ctx, situation, decision, { refund: false });
      return "adopted";
    case "refund_difference":
      if (details.facts.differing.includes("product")) await decideCase(writesOf(ctx), "refund", decision);
      else await adoptFacts(ctx, situation, decision, { refund: true });
      return "refunded";
    default:
      if (appliesPlan.has(details.kind)) await requireReadablePlan(ctx, details.operationId);
      await decideCase(writesOf(ctx), handler, decision);
      return action === "refund" ? "refunded" : action === "dismiss" ? "dismissed" : "adopted";
  }
}
