import type { Lease } from "#lib/db/lease/keeper.ts";
import { claimOperation, reclaimOperation, releaseOperation } from "#lib/db/operation/lease.ts";
import type { OperationRow } from "#lib/db/operation/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";

export type { Lease } from "#lib/db/lease/keeper.ts";

/** An open operation owned by this process. */
export interface ClaimedOperation {
  readonly operation: OperationRow;
  readonly lease: Lease;
}

/** Call before holding or claiming the operation. @throws DomainError `unavailable` */
export function beginOperationLease(ctx: ServiceContext, id: string): Promise<Lease> {
  return ctx.leases.begin((lease) => reclaimOperation(ctx.db, lease, id));
}

/** Frees the operation for the next claim. Safe if the claim itself is in doubt. */
export function abandonOperation(ctx: ServiceContext, lease: Lease, id: string): void {
  ctx.leases.abandon(() => releaseOperation(ctx.db, lease, id));
}

/** `early`: also if it is not due. Null if it is settled or has an owner. */
export async function claimOpenOperation(
  ctx: ServiceContext,
  claim: { readonly id: string; readonly early: boolean },
): Promise<ClaimedOperation | null> {
  const lease = await beginOperationLease(ctx, claim.id);
  try {
    const operation = await claimOperation(ctx.db, lease, claim);
    return operation && { operation, lease };
  } catch (error) {
    abandonOperation(ctx, lease, claim.id);
    throw error;
  }
}
