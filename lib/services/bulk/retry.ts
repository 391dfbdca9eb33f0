import { retryBulkJob as retryJob } from "#lib/db/bulk/job.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { type BulkJob, getOwnBulkJob } from "./get.ts";
import { priceFailedItems, retryQuoteOf } from "./quote-retry.ts";

/**
 * Does once more what has failed, in the name of whoever started the job and at today's prices; nothing that is done is
 * done again.
 * @param input.agreedTotal what `quoteBulkRetry` said
 * @throws DomainError `permission_denied`, `not_found`, `state_invalid` (it still runs, nothing failed, or it is all or
 *   nothing), `price_changed` (another total than agreed).
 */
export async function retryFailedBulkItems(
  ctx: ServiceContext,
  input: { readonly jobId: number; readonly agreedTotal: bigint },
): Promise<BulkJob> {
  const resellerId = requireResellerUser(ctx);
  const job = await getOwnBulkJob(ctx, resellerId, input.jobId);
  const { id, kind, state, counts, currency, allOrNothing } = job;
  if (allOrNothing) throw new DomainError("state_invalid", "This job is all or nothing: start it anew.");
  if (state !== "finished" || counts.failed === 0) throw nothingToRetry();
  const items = await priceFailedItems(ctx, resellerId, job);
  const { total } = retryQuoteOf(job, items);
  if (total !== input.agreedTotal) throw priceChanged(total, currency);
  if (!(await retryJob(writesOf(ctx), { id, resellerId, kind, by: changedBy(ctx) }, items))) {
    throw nothingToRetry();
  }
  return getOwnBulkJob(ctx, resellerId, id);
}

function nothingToRetry(): DomainError {
  return new DomainError("state_invalid", "There is nothing to try again.");
}
