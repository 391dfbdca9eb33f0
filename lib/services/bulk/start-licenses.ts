import { findBulkJobByKey } from "#lib/db/bulk-job.ts";
import { bulkObstacles } from "#lib/domain/bulk-license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId } from "#lib/domain/ids.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type LicenseBulkInput, planLicenseBulk } from "./license-plan.ts";
import { startBulkJob } from "./start.ts";

export interface LicenseBulkStart extends LicenseBulkInput {
  /** What was agreed to: how many, and what they cost in minor units. */
  readonly agreed: { readonly count: number; readonly total: bigint };
}

/**
 * Starts a change of many licenses: those that can be changed now, and no others than were agreed to. What is left out
 * is in the results with its reason.
 * @throws DomainError `permission_denied`, `conflict` (another number or price than agreed), `state_invalid` (none, or
 *   more than 10,000).
 */
export async function startLicenseBulk(
  ctx: ServiceContext,
  input: LicenseBulkStart,
): Promise<{ readonly jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx);
  const { agreed, change } = input;
  // A form sent again after its answer was lost: the numbers are others now that its job is under way.
  const earlier = ctx.idempotencyKey && (await findBulkJobByKey(ctx.db, resellerId, ctx.idempotencyKey));
  if (earlier) return { jobId: earlier };
  const { planned, total, currency } = await planLicenseBulk(ctx, resellerId, input);
  const count = planned.filter(({ obstacle }) => obstacle === null).length;
  if (count !== agreed.count || total !== agreed.total) {
    throw new DomainError("conflict", "What is selected has changed meanwhile: look at the new numbers.");
  }
  if (count === 0) throw new DomainError("state_invalid", "None of the selected licenses can be changed this way.");
  const { kind, ...parameters } = change;
  const jobId = await startBulkJob(ctx, resellerId, {
    kind,
    parameters,
    quotedTotal: total,
    currency,
    items: planned.map(({ license, obstacle }) => ({
      licenseId: license.id,
      ...(kind === "renew" && license.price !== null
        ? { input: { termEndsAt: license.expiresAt.toISOString(), price: license.price.toString() } }
        : {}),
      ...(obstacle === null ? {} : { skipped: { code: obstacle, message: bulkObstacles[obstacle] } }),
    })),
  });
  return { jobId };
}
