import { retryBulkJob as retryJob } from "#lib/db/bulk-job.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type BulkJob, getOwnBulkJob } from "./get.ts";

/**
 * Does once more what has failed, in the name of whoever started the job; nothing that is done is done again.
 * @throws DomainError `permission_denied`, `not_found`, `state_invalid` (it still runs, nothing failed, or it is all or
 *   nothing).
 */
export async function retryFailedBulkItems(ctx: ServiceContext, input: { readonly jobId: number }): Promise<BulkJob> {
  const resellerId = requireResellerUser(ctx);
  const { id, kind, allOrNothing } = await getOwnBulkJob(ctx, resellerId, input.jobId);
  if (allOrNothing) throw new DomainError("state_invalid", "This job is all or nothing: start it anew.");
  if (!(await retryJob(ctx.db, { id, resellerId, kind, by: changedBy(ctx) }))) {
    throw new DomainError("state_invalid", "There is nothing to try again.");
  }
  return getOwnBulkJob(ctx, resellerId, id);
}
