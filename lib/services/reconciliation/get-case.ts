import { type AuditRow, listAuditRows } from "#lib/db/audit.ts";
import {
  type CaseDetails,
  type CaseEntry,
  findCase,
  findOperationCourse,
  listCaseEntries,
  type OperationCourse,
} from "#lib/db/reconciliation-case.ts";
import { DomainError } from "#lib/domain/errors.ts";
import {
  type ActionMoney,
  type ActionRule,
  actionMoney,
  type CaseAction,
  type CaseCircumstances,
  caseActions,
  offerAction,
} from "#lib/domain/reconciliation.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export type { AuditRow } from "#lib/db/audit.ts";
export type { CaseDetails, CaseEntry, OperationCourse } from "#lib/db/reconciliation-case.ts";

const MAX_LISTED = 50;

export interface OfferedAction {
  readonly action: CaseAction;
  readonly rule: ActionRule;
  readonly money: ActionMoney;
}

export interface ReconciliationCase {
  readonly details: CaseDetails;
  readonly operation: OperationCourse | null;
  readonly entries: readonly CaseEntry[];
  readonly history: readonly AuditRow[];
  /** Every action, possible or not, in the order of the table. */
  readonly actions: readonly OfferedAction[];
}

/**
 * A case with its facts side by side, the operation, its entries, what was done to it, and what can be done.
 * @throws DomainError `permission_denied`, `not_found`
 */
export async function getCase(ctx: ServiceContext, input: { readonly caseId: number }): Promise<ReconciliationCase> {
  requireAdmin(ctx);
  const details = await getCaseDetails(ctx, input.caseId);
  const [operation, entries, history] = await Promise.all([
    details.operationId === null ? null : findOperationCourse(ctx.db, details.operationId),
    listCaseEntries(ctx.db, details, MAX_LISTED),
    listAuditRows(ctx.db, { subject: `case:${details.id}` }, { before: null, limit: MAX_LISTED }),
  ]);
  const circumstances = circumstancesOf(details);
  const actions = caseActions.map((action) => ({
    action,
    rule: offerAction(circumstances, action),
    money: actionMoney(details.kind, action, details),
  }));
  return { details, operation, entries, history, actions };
}

/** @throws DomainError `not_found` */
export async function getCaseDetails(ctx: ServiceContext, caseId: number): Promise<CaseDetails> {
  const details = await findCase(ctx.db, caseId);
  if (!details) throw new DomainError("not_found", "There is no such case.");
  return details;
}

export function circumstancesOf(details: CaseDetails): CaseCircumstances {
  return {
    kind: details.kind,
    resolved: details.resolvedAt !== null,
    licenseId: details.licenseId,
    inBundle: details.bundleInstanceId !== null,
    differing: details.facts.differing,
    partsHeld: details.partsHeld,
    parts: details.parts,
  };
}
