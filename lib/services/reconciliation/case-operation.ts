import { type CaseDecision, findUnchangedLicenses } from "#lib/db/reconciliation/action.ts";
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

/**
 * Awaits an operation on compared licenses. Turns its errors into `conflict` if another admin has changed the licenses or
 * the case meanwhile.
 */
export async function rejectIfChanged<Result>(
  ctx: ServiceContext,
  decision: CaseDecision,
  licenseIds: readonly number[],
  operation: Promise<Result>,
): Promise<Result> {
  requireAdmin(ctx, "cases:decide");
  try {
    return await operation;
  } catch (error) {
    const mayConflict = isDomainError(error) && conflictCodes.has(error.code);
    if (mayConflict && (await findUnchangedLicenses(ctx.db, decision, licenseIds)) === null) throw caseChanged();
    throw error;
  }
}

export function caseChanged(): DomainError {
  return new DomainError(
    "conflict",
    "Another administrator is working on this case, or the license has changed. Compare again first.",
  );
}
