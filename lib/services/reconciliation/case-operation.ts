import { auditOpenCase, type CaseDecision, findUnchangedLicenses } from "#lib/db/reconciliation/action.ts";
import type { AuditAction } from "#lib/domain/audit.ts";
import { DomainError, type DomainErrorCode, isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { onBehalfOf, requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** Context of an admin's operation on a case. Without an idempotency key, as one request can run several operations. */
export function createOperatingContext(ctx: ServiceContext, resellerId: ResellerId): ServiceContext {
  requireAdmin(ctx, "cases:decide");
  const scopes = ["licenses:read", "licenses:write", "bundles:read", "bundles:write"] as const;
  return { ...onBehalfOf(ctx, resellerId, scopes), claim: null, seenVersion: null };
}

/**
 * Requires the licenses of a case to have the versions that were compared.
 * @throws DomainError `conflict` if one has changed, or if another admin has closed the case
 */
export async function requireUnchanged(
  ctx: ServiceContext,
  decision: CaseDecision,
  licenses: readonly { readonly id: number; readonly version: string }[],
): Promise<void> {
  requireAdmin(ctx, "cases:decide");
  const ids = licenses.map(({ id }) => id);
  const seen = await findUnchangedLicenses(ctx.db, decision, ids);
  const versions = new Map(seen?.map(({ id, version }) => [id, version]));
  if (licenses.some(({ id, version }) => versions.get(id) !== version)) throw caseChanged();
}

const conflictCodes: ReadonlySet<DomainErrorCode> = new Set([
  "state_invalid",
  "operation_in_progress",
  "changed_meanwhile",
]);

interface CaseOperations {
  readonly action: AuditAction;
  readonly resellerId: ResellerId;
  /** The compared licenses. */
  readonly licenseIds: readonly number[];
  /** Says that only some were carried out, e.g. "Charged only 2 of 3 cycles"; by default as changes at the provider. */
  readonly describePart?: (done: number, all: number) => string;
}

/**
 * Runs operations on compared licenses one after another, up to the first whose outcome is unknown: `open`, which the
 * audit log notes.
 * @throws DomainError `conflict` if another admin has changed the licenses or the case meanwhile, or if an operation
 *   after the first fails: says how many were carried out, as the audit log does; errors of the first one
 */
export async function runOperations(
  ctx: ServiceContext,
  decision: CaseDecision,
  about: CaseOperations,
  operations: readonly (() => Promise<{ readonly pending: boolean }>)[],
): Promise<"done" | "open"> {
  requireAdmin(ctx, "cases:decide");
  const { action, resellerId, licenseIds, describePart = describeChanges } = about;
  const audit = (state: string) => auditOpenCase(ctx.db, { ...decision, resellerId, action, state });
  for (const [done, run] of operations.entries()) {
    const { pending } = await run().catch(async (error) => {
      if (!isDomainError(error)) throw error;
      // Later ones find what the first has changed.
      if (done === 0) throw (await isChanged(ctx, decision, licenseIds, error)) ? caseChanged() : error;
      await audit("partly");
      const message = `${describePart(done, operations.length)}: ${error.message} Compare again before you go on.`;
      throw new DomainError("conflict", message);
    });
    if (!pending) continue;
    await audit("unknown");
    return "open";
  }
  return "done";
}

const describeChanges = (done: number, all: number) => `The provider made only ${done} of ${all} changes`;

async function isChanged(
  ctx: ServiceContext,
  decision: CaseDecision,
  licenseIds: readonly number[],
  error: DomainError,
) {
  requireAdmin(ctx, "cases:decide");
  return conflictCodes.has(error.code) && (await findUnchangedLicenses(ctx.db, decision, licenseIds)) === null;
}

export function caseChanged(): DomainError {
  return new DomainError(
    "conflict",
    "Another administrator is working on this case, or the license has changed. Compare again first.",
  );
}
