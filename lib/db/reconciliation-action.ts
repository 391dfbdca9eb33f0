import { DomainError } from "#lib/domain/errors.ts";
import type { Database } from "./client.ts";
import { findSqlState, sqlState } from "./errors.ts";

/** Who acts on which case, as it was seen, and why. */
export interface CaseDecision {
  readonly caseId: number;
  /** Of the case as it was seen: it must not have changed since. */
  readonly fingerprint: string;
  readonly actor: string;
  readonly reason: string;
  readonly now: Date;
}

/** Each is one database function: the case, what it changes and the audit entry, or nothing of it. */
const statements = {
  end: "select from end_unprovisioned($1, $2, false, $3, $4, $5)",
  refund: "select from end_unprovisioned($1, $2, true, $3, $4, $5)",
  restore: "select from restore_ended($1, $2, $3, $4, $5)",
  adopt_late_success: "select from adopt_late_success($1, $2, $3, $4, $5)",
  charge_unknown: "select from settle_unknown($1, $2, true, $3, $4, $5)",
  release_unknown: "select from settle_unknown($1, $2, false, $3, $4, $5)",
  take_over: "select from take_over_provider_facts($1, $2, $3, $4, $5)",
  dismiss: "select from close_case($1, $2, 'dismissed', 'dismiss', $3, $4, $5)",
  settled: "select from close_case($1, $2, 'settled', 'ask_again', $3, $4, $5)",
} as const satisfies Record<string, string>;
export type CaseStatement = keyof typeof statements;

/**
 * @throws DomainError `conflict` when the case has ended or changed since it was seen, `state_invalid` when what it is
 *   about has, `insufficient_balance`
 */
export async function decideCase(db: Database, statement: CaseStatement, decision: CaseDecision): Promise<void> {
  try {
    await db.query({
      name: `decide_case_${statement}`,
      text: statements[statement],
      values: [decision.caseId, decision.fingerprint, decision.actor, decision.reason, decision.now],
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
  decision: CaseDecision & { readonly resellerId: number | null; readonly action: string; readonly data: unknown },
): Promise<void> {
  await db.query({
    name: "audit_case",
    text: "select write_audit_entry($1, $2, $3, $4, $5, $6::jsonb, $7)",
    values: [
      decision.actor,
      decision.action,
      decision.resellerId,
      `case:${decision.caseId}`,
      decision.reason,
      JSON.stringify(decision.data),
      decision.now,
    ],
  });
}
