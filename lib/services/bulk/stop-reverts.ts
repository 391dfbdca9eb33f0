import { stopBulkReverts as stopReverts } from "#lib/db/bulk/job.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { type BulkJob, getChangeableBulkJob, getOwnBulkJob } from "./get.ts";

/**
 * Stops trying postponed reverts of an all-or-nothing job again: what they would have reverted stays as it is.
 * @throws DomainError `not_found`, `permission_denied` (an admin's job), `state_invalid` (none is postponed)
 */
export async function stopBulkReverts(ctx: ServiceContext, input: { readonly jobId: number }): Promise<BulkJob> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  const { id, kind } = await getChangeableBulkJob(ctx, resellerId, input.jobId);
  if (!(await stopReverts(writesOf(ctx), { id, resellerId, kind, by: changedBy(ctx) }))) {
    throw new DomainError("state_invalid", "This job has no revert that is tried again.");
  }
  return getOwnBulkJob(ctx, resellerId, id);
}
