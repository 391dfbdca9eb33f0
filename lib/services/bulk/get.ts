import { type BulkJobRow, findBulkJob, findBulkJobOwner } from "#lib/db/bulk/job.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { requireAdmin, requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { bulkKindRunners } from "./kinds.ts";

export interface BulkJob extends BulkJobRow {
  /** One failure undoes the other items; no partial retry. */
  readonly allOrNothing: boolean;
}

/** A job with its current counts. @throws DomainError `not_found`, also for another reseller's (contract 1.12). */
export async function getBulkJob(ctx: ServiceContext, input: { readonly jobId: number }): Promise<BulkJob> {
  const resellerId = requireResellerUser(ctx, "licenses:read");
  return getOwnBulkJob(ctx, resellerId, input.jobId);
}

/** The caller checks permissions. */
export async function getOwnBulkJob(ctx: ServiceContext, resellerId: ResellerId, jobId: number): Promise<BulkJob> {
  const job = await findBulkJob(ctx.db, resellerId, jobId);
  if (!job) throw noSuchJob();
  return toBulkJob(job);
}

/** The job's reseller. @throws DomainError `not_found` */
export async function getBulkJobOwner(ctx: ServiceContext, input: { readonly jobId: number }): Promise<ResellerId> {
  requireAdmin(ctx, "admin:read");
  const owner = await findBulkJobOwner(ctx.db, input.jobId);
  if (owner === null) throw noSuchJob();
  return owner;
}

function noSuchJob(): DomainError {
  return new DomainError("not_found", "There is no such job.");
}

export function toBulkJob(row: BulkJobRow): BulkJob {
  return { ...row, allOrNothing: bulkKindRunners[row.kind].allOrNothing };
}
