import { retryBulkJob as retryJob } from "#lib/db/bulk/job.ts";
import { bulkKindPermission } from "#lib/domain/bulk.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { type BulkJob, getChangeableBulkJob, getOwnBulkJob } from "./get.ts";
import { priceFailedItems, toRetryQuote } from "./quote-retry.ts";

/**
 * Retries failed items as the user who started the job, at today's prices. What is not for sale any more stays failed.
 * @param input.agreedTotal from `quoteBulkRetry`
 * @throws DomainError `not_found`, `permission_denied` (an admin's job), `state_invalid` (still running, nothing failed
 *   that is still for sale, or all or nothing), `price_changed` (another total than agreed)
 */
export async function retryFailedBulkItems(
  ctx: ServiceContext,
  input: { readonly jobId: number; readonly agreedTotal: bigint },
): Promise<BulkJob> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  const job = await getChangeableBulkJob(ctx, resellerId, input.jobId);
  const { id, kind, state, counts, currency, allOrNothing } = job;
  const permission = bulkKindPermission(kind);
  if (permission !== null) requireResellerUser(ctx, permission);
  if (allOrNothing) throw new DomainError("state_invalid", "This job is all or nothing. Start a new one.");
  if (state !== "finished" || counts.failed === 0) throw nothingToRetry();
  const items = await priceFailedItems(ctx, resellerId, job);
  const { total } = toRetryQuote(job, items);
  if (total !== input.agreedTotal) throw priceChanged(total, currency);
  if (items.length === 0) throw new DomainError("state_invalid", "What failed is not for sale any more.");
  if (!(await retryJob(writesOf(ctx), { id, resellerId, kind, by: changedBy(ctx) }, items))) {
    throw nothingToRetry();
  }
  return getOwnBulkJob(ctx, resellerId, id);
}

function nothingToRetry(): DomainError {
  return new DomainError("state_invalid", "This job has no failed items to retry.");
}
