import { type CaseDecision, findUnchangedLicenses } from "#lib/db/reconciliation/action.ts";
import { DomainError, type DomainErrorCode, isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { onBehalfOf, requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** The context of an admin's operation on a case: each of several under one request is told apart by the case alone. */
export function operatingContext(ctx: ServiceContext, resellerId: ResellerId): ServiceContext {
  requireAdmin(ctx);
  const scopes = ["licenses:read", "licenses:write", "bundles:read", "bundles:write"] as const;
  return { ...onBehalfOf(ctx, resellerId, scopes), claim: null, seenVersion: null };
}

/**
 * The versions of the licenses that a case is about, as they were compared.
 * @throws DomainError `conflict` when one has changed, or when another admin has dealt with the case
 */
export async function requireUnchanged(
  ctx: ServiceContext,
  decision: CaseDecision,
  licenses: readonly { readonly id: number; readonly version: string }[],
): Promise<void> {
  requireAdmin(ctx);
  const ids = licenses.map(({ id }) => id);
  const seen = await findUnchangedLicenses(ctx.db, decision, ids);
  const versions = new Map(seen?.map(({ id, version }) => [id, version]));
  if (licenses.some(({ id, version }) => versions.get(id) !== version)) throw caseChanged();
}

const overtakenCodes: ReadonlySet<DomainErrorCode> = new Set([
  "state_invalid",
  "operation_in_progress",
  "changed_meanwhile",
]);

/**
 * An operation on a license that was compared. Of two admins the second finds the license busy or changed: that is a
 * conflict, whatever the operation calls it.
 */
export async function unlessChanged<Result>(
  ctx: ServiceContext,
  decision: CaseDecision,
  licenseIds: readonly number[],
  operation: Promise<Result>,
): Promise<Result> {
  requireAdmin(ctx);
  try {
    return await operation;
  } catch (error) {
    const overtaken = isDomainError(error) && overtakenCodes.has(error.code);
    if (overtaken && (await findUnchangedLicenses(ctx.db, decision, licenseIds)) === null) throw caseChanged();
    throw error;
  }
}

export function caseChanged(): DomainError {
  return new DomainError(
    "conflict",
    "Somebody else deals with this case, or the license has changed. Compare again first.",
  );
}
