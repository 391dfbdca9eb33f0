import { findOwnOperation, type OperationRow } from "#lib/db/operation/operation.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { OperationId } from "#lib/domain/ids.ts";
import { isLicenseOperation } from "#lib/domain/operation.ts";
import { hasPermission, requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { OperationRow } from "#lib/db/operation/operation.ts";

/**
 * One operation with its outcome, if settled (contract 3.11). API keys require `licenses:read` for operations of
 * licenses, `bundles:read` for those of bundles.
 * @throws DomainError `operation_not_found`, also for another reseller's (contract 1.12).
 */
export async function getOperation(
  ctx: ServiceContext,
  input: { readonly operationId: OperationId },
): Promise<OperationRow> {
  const resellerId = requireReseller(ctx, "licenses:read", "bundles:read");
  const operation = await findOwnOperation(ctx.db, resellerId, input.operationId);
  if (operation && hasPermission(ctx, isLicenseOperation(operation.kind) ? "licenses:read" : "bundles:read"))
    return operation;
  throw new DomainError("operation_not_found", "No operation of yours has this operation_id.", {
    details: { operation_id: "names no operation of yours" },
  });
}
