import type { AuditAction } from "#lib/domain/audit.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ChangedBy } from "./audit.ts";
import type { Database } from "./client.ts";
import { findSqlState, sqlState } from "./errors.ts";

/** Who acts on which case, as it was seen, and why. */
export interface CaseDecision {
  readonly caseId: number;
  /** Of the case as it was seen: it must not have changed since. */
  readonly fingerprint: string;
  readonly reason: string;
  readonly by: ChangedBy;
}

/** Each is one database function: the case, what it changes and the audit entry, or nothing of it. */
const statements = {
  end: "select from end_unprovisioned($1, $2, false, $3, $4, $5, $6)",
  refund: "select from end_unprovisioned($1, $2, true, $3, $4, $5, $6)",
  restore: "select from restore_ended($1, $2, $3, $4, $5, $6)",
  adopt_late_success: "select from adopt_late_success($1, $2, $3, $4, $5, $6)",
  charge_unknown: "select from settle_unknown($1, $2, true, $3, $4, $5, $6)",
  release_unknown: "select from settle_unknown($1, $2, false, $3, $4, $5, $6)",
  take_over: "select from take_over_provider_facts($1, $2, $3, $4, $5, $6)",
  dismiss: "select from close_case($1, $2, 'dismissed', 'dismiss', $3, $4, $5, $6)",
  settled: "select from close_case($1, $2, 'settled', 'ask_again', $3, $4, $5, $6)",
} as const satisfies Record<string, string>;
export type CaseStatement = keyof typeof statements;

/**
 * @throws DomainError `conflict` when the case has ended or changed since it was seen, `state_invalid` when what it is
 *   about has, `insufficient_balance`
 */
export async function decideCase(db: Database, statement: CaseStatement, decision: CaseDecision): Promise<void> {
  const { by } = decision;
  try {
    await db.query({
      name: `decide_case_${statement}`,
      text: statements[statement],
      values: [decision.caseId, decision.fingerprint, by.actor, decision.reason, by.now, by.requestId],
    });
  } catch (error) {
    throw nameDecisionFailure(error);
  }
}

function nameDecisionFailure(error: unknown): unknown {
  switch (findSqlState(error)) {
    case sqlState.caseChanged:
      return new DomainError(
        "conflict",
        "Somebody else has dealt with this case, or it has changed. Look at it again.",
      );
    case sqlState.busy:
    case sqlState.uniqueViolation:
      return new DomainError("state_invalid", "The license has changed since it was compared. Compare again first.");
    case sqlState.partlyHeld:
      return new DomainError("state_invalid", "The provider holds only a part of this bundle.");
    case sqlState.bundleMember:
      return new DomainError("state_invalid", "A bundle moves as a whole: change the bundle's address.");
    case sqlState.exclusionViolation:
      return new DomainError("state_invalid", "The address has another live license of this product by now.");
    case sqlState.insufficientBalance:
      return new DomainError("insufficient_balance", "The reseller's wallet cannot pay for it.");
    default:
      return error;
  }
}

/** What was done to a case that stays open. */
export async function auditCase(
  db: Database,
  decision: CaseDecision & { readonly resellerId: number | null; readonly action: AuditAction; readonly data: unknown },
): Promise<void> {
  const { caseId, action, resellerId, reason, data, by } = decision;
  await db.query({
    name: "audit_case",
    text: "select write_audit_entry($1, $2, $3, $4, $5, $6::jsonb, $7, $8)",
    values: [by.actor, action, resellerId, `case:${caseId}`, reason, JSON.stringify(data), by.now, by.requestId],
  });
}
