import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { boolean } from "#lib/db/connection/columns.ts";
import { defineAny, defineRun } from "#lib/db/connection/define.ts";
import { findSqlState, readInsufficientBalance, sqlState } from "#lib/db/connection/errors.ts";
import { findRow, statement } from "#lib/db/connection/statement.ts";
import { type SeenLicense, seenLicense } from "#lib/db/operation/hold.ts";
import type { AuditAction } from "#lib/domain/audit.ts";
import { DomainError } from "#lib/domain/errors.ts";

export interface CaseDecision {
  readonly caseId: number;
  /** The version of the case that the admin saw. */
  readonly fingerprint: string;
  readonly reason: string;
  /** What the admin agreed to move in the reseller's wallet, in minor units; negative: charged. */
  readonly agreedWallet: bigint;
  readonly by: ChangedBy;
}

/** Each calls one database function, which writes the case, its effects and the audit entry atomically. */
const decide = (name: string, call: string) =>
  statement(`decide_case_${name}`)`select from ${call.replace(")", ", $4, $3, $5, $6)")}`;
const decisions = {
  end: decide("end", "end_unprovisioned($1, $2, null)"),
  refund: decide("refund", "end_unprovisioned($1, $2, $7)"),
  restore: decide("restore", "restore_ended($1, $2, -$7::bigint)"),
  adopt_late_success: decide("adopt_late_success", "adopt_late_success($1, $2)"),
  charge_unknown: decide("charge_unknown", "settle_unknown($1, $2, true)"),
  release_unknown: decide("release_unknown", "settle_unknown($1, $2, false)"),
  dismiss: decide("dismiss", "dismiss_case($1, $2)"),
  settled: decide("settled", "close_case($1, $2, 'settled', 'ask_again')"),
  corrected: decide("corrected", "close_case($1, $2, 'corrected', 'correct')"),
  charged: decide("charged", "close_case($1, $2, 'adopted', 'charge')"),
  credited: decide("credited", "close_case($1, $2, 'refunded', 'refund')"),
} as const;
export type CaseStatement = keyof typeof decisions;
/** Those that compute at the decision what they move. */
const statesAmount: ReadonlySet<CaseStatement> = new Set(["refund", "restore"]);

/**
 * @throws DomainError `conflict` if the case has ended or changed, or would move another amount, `state_invalid` if its license or operation has,
 *   `insufficient_balance`
 */
export async function decideCase(db: Database, statement: CaseStatement, decision: CaseDecision): Promise<void> {
  const { caseId, fingerprint, reason, agreedWallet, by } = decision;
  const agreed = statesAmount.has(statement) ? [agreedWallet] : [];
  try {
    await db.query(decisions[statement], [caseId, fingerprint, reason, ...changeValues(by), ...agreed]);
  } catch (error) {
    throw nameDecisionFailure(error);
  }
}

/** Facts to copy from the provider besides address, cores and state. */
export interface FactAdoption {
  /** Of the license and its whole bundle; null leaves the term. */
  readonly term: { readonly anchoredAt: Date; readonly expiresAt: Date } | null;
  /** Cases of the bundle's other members, resolved with it. */
  readonly siblings: readonly { readonly id: number; readonly fingerprint: string }[];
  /** End of the provider's term: the charge for the time after it is refunded; null refunds nothing. */
  readonly refundFrom: Date | null;
  readonly toleranceMs: number;
  /** Most that remains agreed to and announced of the next renewal's price, in minor units; null leaves both. */
  readonly renewalPriceCap: bigint | null;
}

const adoptProviderFactsStatement = statement("adopt_provider_facts")`
      select from adopt_provider_facts($1, $2, $3::jsonb, $4::jsonb, $5, $6, make_interval(secs => $7), $8, $10, $9, $11, $12)`;

/** Throws as `decideCase`. */
export async function adoptProviderFacts(db: Database, decision: CaseDecision, adoption: FactAdoption): Promise<void> {
  const { caseId, fingerprint, reason, agreedWallet, by } = decision;
  const siblings = adoption.siblings.map(({ id, fingerprint }) => ({ id, fingerprint }));
  try {
    await db.query(adoptProviderFactsStatement, [
      caseId,
      fingerprint,
      adoption.term === null ? null : JSON.stringify(adoption.term),
      JSON.stringify(siblings),
      adoption.refundFrom,
      agreedWallet,
      adoption.toleranceMs / 1_000,
      adoption.renewalPriceCap,
      reason,
      ...changeValues(by),
    ]);
  } catch (error) {
    throw nameDecisionFailure(error);
  }
}

/** Reopens a case whose action failed, unless a comparison has opened another one for the same difference. */
export const reopenCase = defineRun("reopen_case")<[caseId: number]>`
      update reconciliation_cases c set resolved_at = null, resolution = null
       where c.id = $1 and c.resolution = 'corrected' and not exists (
         select from reconciliation_cases o
          where o.provider = c.provider and o.reference = c.reference and o.kind = c.kind and o.resolved_at is null)`;

const hasCaseChangedStatement = statement("has_case_changed", { changed: boolean })`
      select c.resolved_at is not null or c.fingerprint <> $2 or exists (
               select from licenses l
                where l.id = c.license_id and (l.updated_at > c.last_seen_at or l.open_operation_id is not null)) as changed
        from reconciliation_cases c where c.id = $1`;

/** Whether a case or its license has changed since the admin saw it. */
export async function hasCaseChanged(
  db: Database,
  seen: { readonly id: number; readonly fingerprint: string },
): Promise<boolean> {
  return (await findRow(db, hasCaseChangedStatement, [seen.id, seen.fingerprint]))?.changed ?? true;
}

/** Whether we have an unterminated license with this key, or with this name at the provider. */
export const hasLiveLicense = defineAny("has_live_license").values(
  (of: { readonly reference: string; readonly name: string | null; readonly provider: string }) => [
    of.reference,
    of.name,
    of.provider,
  ],
)`
      select from licenses l join products p on p.id = l.product_id
       where l.terminated_at is null and (l.key = $1 or l.provider_reference = $2 and p.provider = $3)`;

const findUnchangedLicensesStatement = statement("find_unchanged_licenses", seenLicense)`
      select l.id, l.xmin::text as version
        from reconciliation_cases c
        join licenses l on l.id = any ($3::int[]) and l.updated_at <= c.last_seen_at and l.open_operation_id is null
       where c.id = $1 and c.fingerprint = $2 and c.resolved_at is null`;

/** The case's licenses as they are now; null if one has changed since the admin saw it. */
export async function findUnchangedLicenses(
  db: Database,
  decision: Pick<CaseDecision, "caseId" | "fingerprint">,
  licenseIds: readonly number[],
): Promise<readonly SeenLicense[] | null> {
  const rows = await db.query(findUnchangedLicensesStatement, [decision.caseId, decision.fingerprint, licenseIds]);
  return rows.length === licenseIds.length ? rows : null;
}

export function caseAmountChanged(): DomainError {
  return new DomainError("conflict", "The amount has changed. Check the case again.");
}

function nameDecisionFailure(error: unknown): unknown {
  switch (findSqlState(error)) {
    case sqlState.caseChanged:
      return new DomainError("conflict", "This case was resolved or has changed meanwhile. Review it again.");
    case sqlState.amountChanged:
      return caseAmountChanged();
    case sqlState.busy:
    case sqlState.uniqueViolation:
      return new DomainError("state_invalid", "The license has changed since it was compared. Compare again first.");
    case sqlState.partlyHeld:
      return new DomainError("state_invalid", "The provider holds only part of this bundle.");
    case sqlState.bundleMember:
      return new DomainError("state_invalid", "A bundle moves as a whole: change the bundle's address.");
    case sqlState.exclusionViolation:
      return new DomainError("state_invalid", "Another live license of this product now has the address.");
    case sqlState.insufficientBalance:
      return readInsufficientBalance(error);
    default:
      return error;
  }
}

/** Writes an audit entry for an action that has left its case open, with its outcome so far. */
export const auditOpenCase = defineRun("audit_case").values(
  (
    decision: CaseDecision & {
      readonly resellerId: number | null;
      readonly action: AuditAction;
      readonly state: string;
    },
  ) => {
    const { caseId, action, resellerId, reason, state, by } = decision;
    const { actor, now, requestId } = by;
    return [actor, action, resellerId, `case:${caseId}`, reason, JSON.stringify({ state }), now, requestId];
  },
)`select write_audit_entry($1, $2, $3, $4, $5, $6::jsonb, $7, $8)`;
