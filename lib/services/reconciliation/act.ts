import { type CaseDecision, type CaseStatement, decideCase } from "#lib/db/reconciliation-action.ts";
import { DomainError, invalidParameters } from "#lib/domain/errors.ts";
import { type CaseAction, type CaseKind, offerAction } from "#lib/domain/reconciliation.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { askAgain } from "./ask-again.ts";
import { circumstancesOf, getCaseDetails } from "./get-case.ts";

const MAX_REASON_LENGTH = 1_000;

export interface ActInput {
  readonly caseId: number;
  readonly action: CaseAction;
  /** Kept with the case, the ledger's entries and the audit entry. */
  readonly reason: string;
  /** Of the case as the admin saw it; without it the case as it is now. */
  readonly fingerprint?: string | undefined;
}

/** `open`: the provider's answer is still unclear. */
export type ActResult = { readonly resolution: "settled" | "adopted" | "refunded" | "dismissed" | "open" };

/** What each action is in the database. Null: the provider is asked first, or `actionRules` refuses it. */
const statements = {
  unknown_outcome: { ask_again: null, adopt: "charge_unknown", refund: "release_unknown", dismiss: null },
  charged_not_provisioned: { ask_again: null, adopt: "end", refund: "refund", dismiss: "dismiss" },
  provisioned_not_charged: { ask_again: null, adopt: "restore", refund: null, dismiss: "dismiss" },
  late_success: { ask_again: null, adopt: "adopt_late_success", refund: null, dismiss: "dismiss" },
  differs: { ask_again: null, adopt: "take_over", refund: null, dismiss: "dismiss" },
} as const satisfies Record<CaseKind, Record<CaseAction, CaseStatement | null>>;

const resolutions = { ask_again: "open", adopt: "adopted", refund: "refunded", dismiss: "dismissed" } as const;

/**
 * Does what `actionRules` says of the case's kind, once: of two admins at a time, one is told of a conflict. The case,
 * what it changes, and the audit entry are one transaction.
 * @throws DomainError `permission_denied`, `not_found`, `parameters_invalid` (no reason), `conflict` (somebody else has
 *   dealt with it, or it has changed), `state_invalid`, `insufficient_balance`
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
  const rule = offerAction(circumstancesOf(details), input.action);
  if (!rule.possible) throw new DomainError("state_invalid", rule.because);
  const decision: CaseDecision = {
    caseId: details.id,
    fingerprint: input.fingerprint ?? details.fingerprint,
    reason,
    by: changedBy(ctx),
  };
  const statement: CaseStatement | null = statements[details.kind][input.action];
  if (statement === null) return { resolution: await askAgain(ctx, details, decision) };
  await decideCase(ctx.db, statement, decision);
  return { resolution: resolutions[input.action] };
}
