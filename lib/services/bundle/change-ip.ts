import { listMembers } from "#lib/db/license/license.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { Currency } from "#lib/domain/money.ts";
import { readFacts } from "#lib/domain/operation-plan.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { requireIdle, requireProvisioned } from "#lib/services/license/state-rules.ts";
import { claimAddress } from "#lib/services/operation/address-claim.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { type ChangeOutcome, toChangeOutcome } from "#lib/services/operation/change-outcome.ts";
import { bundleEvent, licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { getOwnBundleInstance } from "./get.ts";
import { memberProvider } from "./member-provider.ts";
import { plannedMembers } from "./planned-members.ts";

export interface BundleIpChangeResult extends ChangeOutcome {
  readonly bundleInstanceId: number;
  readonly licenseIds: readonly LicenseId[];
  readonly oldIp: string;
  readonly newIp: string;
  readonly currency: Currency;
  /** Minor units. */
  readonly balanceAfter: bigint;
}

/**
 * Changes the address of a bundle instance with all its members, all or nothing (contract 3.10).
 * @throws DomainError `bundle_instance_not_found`, `operation_in_progress`, `state_invalid`, `ip_change_address_taken`, and those of
 *   `changeAtProvider`.
 */
export async function changeBundleIp(
  ctx: ServiceContext,
  input: { readonly bundleInstanceId: number; readonly newIp: LicenseAddress },
): Promise<BundleIpChangeResult> {
  const resellerId = requireReseller(ctx, "bundles:write");
  const { newIp } = input;
  const result = await changeAtProvider(ctx, resellerId, async (now) => {
    const instance = await getOwnBundleInstance(ctx, resellerId, input.bundleInstanceId);
    const { members, ipAddress: oldIp } = instance;
    requireIdle(instance, ...members);
    requireProvisioned(instance, "bundle");
    if (oldIp === newIp) return null;
    return {
      kind: "bundle_change_ip",
      bundleInstance: instance,
      lockLicenses: members,
      claims: members.map((member) => claimAddress(member, newIp, now)),
      plan: (operationId) => ({
        provider: memberProvider(members),
        steps: planSteps(
          operationId,
          members.map((member) => ({
            action: "set_address",
            subject: { ...member, ipAddress: newIp },
            undo: { action: "set_address", subject: member },
          })),
        ),
        onSuccess: {
          licenses: members.map(({ key }) => ({ key, ipAddress: newIp })),
          bundleInstance: { ipAddress: newIp },
          events: [
            ...members.map(({ key }) => licenseEvent("license.ip_changed", key, { old_ip: oldIp, new_ip: newIp })),
            bundleEvent("bundle.ip_changed", { old_ip: oldIp, new_ip: newIp }),
          ],
        },
        onRejection: { licenses: [], events: [] },
        facts: { oldIp },
      }),
    };
  });
  const members = await listMembers(ctx.db, resellerId, input.bundleInstanceId);
  const { currency, posted, held } = await getWallet(ctx.db, resellerId);
  return {
    ...toChangeOutcome(result),
    bundleInstanceId: input.bundleInstanceId,
    licenseIds: (result ? plannedMembers(result.operation, members) : members).map(({ id }) => id),
    oldIp: result ? readFacts(result.operation, "bundle_change_ip").oldIp : newIp,
    newIp,
    currency,
    balanceAfter: result?.balanceAfter ?? posted - held,
  };
}
