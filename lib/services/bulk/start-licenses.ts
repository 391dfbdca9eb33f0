import type { BulkJobId } from "#lib/domain/ids.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type LicenseBulkInput, planLicenseBulk } from "./license-plan.ts";
import { type PlannedStart, startPlanned } from "./plan.ts";

export interface LicenseBulkStart extends LicenseBulkInput, Pick<PlannedStart, "agreed"> {}

/**
 * Starts a change of many licenses: those that can be changed now, and no others than were agreed to.
 * @throws DomainError `permission_denied`, and as `startPlanned`
 */
export async function startLicenseBulk(
  ctx: ServiceContext,
  { agreed, ...input }: LicenseBulkStart,
): Promise<{ readonly jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx);
  const { kind, ...parameters } = input.change;
  const plan = () => planLicenseBulk(ctx, resellerId, input);
  return startPlanned(ctx, resellerId, { kind, parameters, agreed, plan });
}
