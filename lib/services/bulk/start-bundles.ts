import type { BulkJobId } from "#lib/domain/ids.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type BundleBulkInput, planBundleBulk } from "./bundle-plan.ts";
import { type PlannedStart, startPlanned } from "./plan.ts";

export interface BundleBulkStart extends BundleBulkInput, Pick<PlannedStart, "agreed"> {}

/**
 * Starts a change of many bundle instances: those that can be changed now, and no others than were agreed to.
 * @throws DomainError `permission_denied`, and as `startPlanned`
 */
export async function startBundleBulk(
  ctx: ServiceContext,
  { agreed, ...input }: BundleBulkStart,
): Promise<{ readonly jobId: BulkJobId }> {
  const resellerId = requireResellerUser(ctx);
  const { kind, ...parameters } = input.change;
  const plan = () => planBundleBulk(ctx, resellerId, input);
  return startPlanned(ctx, resellerId, { kind, parameters, agreed, plan });
}
