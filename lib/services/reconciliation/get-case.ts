import { type AuditRow, auditListing } from "#lib/db/audit/audit.ts";
import {
  type CaseEntry,
  findOperationCourse,
  listCaseEntries,
  type OperationCourse,
} from "#lib/db/reconciliation/case.ts";
import { type CaseDetails, findCase } from "#lib/db/reconciliation/details.ts";
import { type ActionMoney, actionMoney, copiedFacts, endsLicense } from "#lib/domain/case-effects.ts";
import { offerAction } from "#lib/domain/case-offer.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { type ActionRule, type CaseAction, type ComparedFact, caseActions } from "#lib/domain/reconciliation.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { readSituation } from "./read-situation.ts";

export type { AuditRow } from "#lib/db/audit/audit.ts";
export type { CaseEntry, OperationCourse } from "#lib/db/reconciliation/case.ts";
export type { CaseDetails } from "#lib/db/reconciliation/details.ts";

const MAX_LISTED = 50;

export interface OfferedAction {
  readonly action: CaseAction;
  readonly rule: ActionRule;
  readonly money: ActionMoney;
  /** The license stops working for good. */
  readonly endsLicense: boolean;
  /** Facts that it copies from the provider to our license. */
  readonly copies: readonly ComparedFact[];
}

export interface ReconciliationCase {
  readonly details: CaseDetails;
  readonly operation: OperationCourse | null;
  readonly entries: readonly CaseEntry[];
  readonly history: readonly AuditRow[];
  /** Every action, possible or not, in table order. */
  readonly actions: readonly OfferedAction[];
}

/**
 * A case with both sides' facts, its operation, ledger entries, history and actions.
 * @throws DomainError `not_found`
 */
export async function getCase(ctx: ServiceContext, input: { readonly caseId: number }): Promise<ReconciliationCase> {
  requireAdmin(ctx, "admin:read");
  const details = await getCaseDetails(ctx, input.caseId);
  const audited = auditListing(ctx.db, { subject: `case:${details.id}` }, { forAdmins: true });
  const [operation, entries, history] = await Promise.all([
    details.operationId === null ? null : findOperationCourse(ctx.db, details.operationId),
    listCaseEntries(ctx.db, details, { now: ctx.now(), limit: MAX_LISTED }),
    audited.list({ before: null, limit: MAX_LISTED }),
  ]);
  const { caseContext } = await readSituation(ctx, details);
  const actions = caseActions.map((action) => ({
    action,
    rule: offerAction(caseContext, action),
    money: actionMoney(caseContext, action),
    endsLicense: endsLicense(caseContext, action),
    copies: copiedFacts(caseContext, action),
  }));
  return { details, operation, entries, history, actions };
}

/** @throws DomainError `not_found` */
export async function getCaseDetails(ctx: ServiceContext, caseId: number): Promise<CaseDetails> {
  const details = await findCase(ctx.db, caseId, ctx.now());
  if (!details) throw new DomainError("not_found", "There is no such case.");
  return details;
}
