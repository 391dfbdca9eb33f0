import type { Lease } from "#lib/db/lease/keeper.ts";
import { claimOperation, reclaimOperation, releaseOperation } from "#lib/db/operation/lease.ts";
import type { OperationRow } from "#lib/db/operation/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";

export type { Lease } from "#lib/db/lease/keeper.ts";

/** An open operation that this process may end. */
export interface ClaimedOperation {
  readonly operation: OperationRow;
  readonly lease: Lease;
}

/** For an operation that is about to be held or claimed. @throws DomainError `unavailable` */
export function beginOperationLease(ctx: ServiceContext, id: string): Promise<Lease> {
  return ctx.leases.begin((lease) => reclaimOperation(ctx.db, lease, id));
}

/** Lets the next one have it, also when it is not known whether it was claimed. */
export function abandonOperation(ctx: ServiceContext, lease: Lease, id: string): void {
  ctx.leases.abandon(() => releaseOperation(ctx.db, lease, id));
}

/** `early`: also when it is not due to be asked about. Null: it has ended, or a process is at it. */
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
