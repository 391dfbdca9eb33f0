import { bulkKindPermission } from "#lib/domain/bulk.ts";
import type { BulkJobId } from "#lib/domain/ids.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type BundleBulkInput, planBundleBulk } from "./bundle-plan.ts";
import { type PlannedJob, startPlannedJob } from "./plan.ts";

export interface BundleBulkStart extends BundleBulkInput, Pick<PlannedJob, "agreed"> {}

/** Starts a job that changes many bundle instances. @throws DomainError and those of `startPlannedJob` */
export async function startBundleBulk(
  ctx: ServiceContext,
  { agreed, ...input }: BundleBulkStart,
): Promise<{ readonly jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx, "bundles:write");
  const { kind, ...parameters } = input.change;
  const permission = bulkKindPermission(kind);
  if (permission !== null) requireResellerUser(ctx, permission);
  const plan = () => planBundleBulk(ctx, resellerId, input);
  return startPlannedJob(ctx, resellerId, { kind, parameters, agreed, plan });
}
