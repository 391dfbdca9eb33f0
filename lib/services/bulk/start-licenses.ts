import { bulkKindPermission } from "#lib/domain/bulk.ts";
import type { BulkJobId } from "#lib/domain/ids.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type LicenseBulkInput, planLicenseBulk } from "./license-plan.ts";
import { type PlannedJob, startPlannedJob } from "./plan.ts";

export interface LicenseBulkStart extends LicenseBulkInput, Pick<PlannedJob, "agreed"> {}

/** Starts a job that changes many licenses. @throws DomainError and those of `startPlannedJob` */
export async function startLicenseBulk(
  ctx: ServiceContext,
  { agreed, ...input }: LicenseBulkStart,
): Promise<{ readonly jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  const { kind, ...parameters } = input.change;
  const permission = bulkKindPermission(kind);
  if (permission !== null) requireResellerUser(ctx, permission);
  const plan = () => planLicenseBulk(ctx, resellerId, input);
  return startPlannedJob(ctx, resellerId, { kind, parameters, agreed, plan });
}
