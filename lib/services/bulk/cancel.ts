import { cancelBulkJob as cancelJob } from "#lib/db/bulk/job.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { type BulkJob, getChangeableBulkJob, getOwnBulkJob } from "./get.ts";

/**
 * Skips items that have not started; undoes the others if the job is all or nothing.
 * @throws DomainError `not_found`, `permission_denied` (an admin's job), `state_invalid` (ended or canceled already)
 */
export async function cancelBulkJob(ctx: ServiceContext, input: { readonly jobId: number }): Promise<BulkJob> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  const { id, kind } = await getChangeableBulkJob(ctx, resellerId, input.jobId);
  if (!(await cancelJob(writesOf(ctx), { id, resellerId, kind, by: changedBy(ctx) }, ""))) {
    throw new DomainError("state_invalid", "This job has nothing left to cancel.");
  }
  return getOwnBulkJob(ctx, resellerId, id);
}
