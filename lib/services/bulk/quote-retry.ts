import { z } from "zod";
import { listBulkItems } from "#lib/db/bulk/item.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import type { BulkItemId, BundleInstanceId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type BulkJob, getChangeableBulkJob } from "./get.ts";
import { bulkKindRunners } from "./kinds.ts";

/** Price of retrying failed items today, without those not for sale any more; money in minor units of `currency`. */
export interface BulkRetryQuote {
  readonly count: number;
  /** If all of them succeed. */
  readonly total: bigint;
  /** Lowest price of an item; null if all are free. */
  readonly cheapest: bigint | null;
  readonly currency: Currency;
}

/** @throws DomainError `not_found`, also for another reseller's (contract 1.12); `permission_denied` (an admin's job). */
export async function quoteBulkRetry(ctx: ServiceContext, input: { readonly jobId: number }): Promise<BulkRetryQuote> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  const job = await getChangeableBulkJob(ctx, resellerId, input.jobId);
  return toRetryQuote(job, await priceFailedItems(ctx, resellerId, job));
}

/** A failed item that can be retried. */
export interface FailedItem {
  readonly id: BulkItemId;
  /** Null if free. */
  readonly price: bigint | null;
  /** Price agreed at the start or the last retry. */
  readonly priceBefore: bigint;
}

const priced = z.object({ price: z.coerce.bigint().default(0n) });

/** Omits items that are not for sale any more. The caller checks permissions. */
export async function priceFailedItems(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { id: jobId, kind, parameters }: BulkJob,
): Promise<readonly FailedItem[]> {
  const page = { states: ["failed"], after: 0, limit: MAX_BULK_ITEMS } as const;
  const failed = (await listBulkItems(ctx.db, resellerId, jobId, page)).map((item) => ({
    id: item.id,
    licenseId: item.licenseId as LicenseId | null,
    bundleInstanceId: item.bundleInstanceId as BundleInstanceId | null,
    parameters,
    input: item.input,
  }));
  const prices = await bulkKindRunners[kind].prices(ctx, resellerId, failed);
  return failed.flatMap(({ id, input }) => {
    const price = prices.get(id);
    return price === null ? [] : [{ id, price: price ?? null, priceBefore: priced.parse(input).price }];
  });
}

export function toRetryQuote({ currency }: BulkJob, failed: readonly FailedItem[]): BulkRetryQuote {
  const prices = failed.flatMap(({ price }) => price ?? []);
  return {
    count: failed.length,
    total: prices.reduce((sum, price) => sum + price, 0n),
    cheapest: prices.reduce<bigint | null>((least, price) => (least === null || price < least ? price : least), null),
    currency,
  };
}
