import { type BulkJobRow, findBulkJob, findBulkJobOwner } from "#lib/db/bulk/job.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { permissionDenied } from "#lib/services/actor.ts";
import {
  hasPermission,
  isAdmin,
  requireAdmin,
  requireResellerUser,
  type ServiceContext,
} from "#lib/services/context.ts";
import { bulkKindRunners } from "./kinds.ts";

export interface BulkJob extends BulkJobRow {
  /** One failure undoes the other items; no partial retry. */
  readonly allOrNothing: boolean;
  /** Whether the actor may cancel or retry it. */
  readonly mayChange: boolean;
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
  return toBulkJob(job, ctx);
}

/**
 * A job to cancel or retry. It runs with the rights of the user who started it, so only admins change an admin's.
 * @throws DomainError `not_found`, `permission_denied`
 */
export async function getChangeableBulkJob(
  ctx: ServiceContext,
  resellerId: ResellerId,
  jobId: number,
): Promise<BulkJob> {
  const job = await getOwnBulkJob(ctx, resellerId, jobId);
  if (job.mayChange) return job;
  throw permissionDenied("An administrator started this job. Only an administrator can cancel or retry it.");
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

/** Resellers do not see the names of admins. */
export function toBulkJob(row: BulkJobRow, ctx: ServiceContext): BulkJob {
  const asAdmin = isAdmin(ctx);
  return {
    ...row,
    userName: row.startedByAdmin && !asAdmin ? "Administrator" : row.userName,
    allOrNothing: bulkKindRunners[row.kind].allOrNothing,
    mayChange: hasPermission(ctx, "licenses:write") && (row.actorKind !== "admin" || asAdmin),
  };
}
