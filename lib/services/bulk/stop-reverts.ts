import { stopBulkReverts as stopReverts } from "#lib/db/bulk/job.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { type BulkJob, getChangeableBulkJob, getOwnBulkJob } from "./get.ts";

/**
 * Ends the waits of an all-or-nothing job that reverts or was canceled. A postponed revert is not tried again: what it
 * would have reverted stays. An unknown outcome does not hold up the job any more; the item shows it once it is known.
 * @throws DomainError `not_found`, `permission_denied` (an admin's job), `state_invalid` (it waits for neither)
 */
export async function stopBulkReverts(ctx: ServiceContext, input: { readonly jobId: number }): Promise<BulkJob> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  const { id, kind, allOrNothing } = await getChangeableBulkJob(ctx, resellerId, input.jobId);
  if (!allOrNothing || !(await stopReverts(writesOf(ctx), { id, resellerId, kind, by: changedBy(ctx) }))) {
    throw new DomainError("state_invalid", "This job waits neither for the provider nor for the next try of a revert.");
  }
  return getOwnBulkJob(ctx, resellerId, id);
}
