import { DomainError } from "#lib/domain/errors.ts";
import type { Hostname } from "#lib/domain/hostname.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { readFacts } from "#lib/domain/operation-plan.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { claimAddress } from "#lib/services/operation/address-claim.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { type ChangeOutcome, toChangeOutcome } from "#lib/services/operation/change-outcome.ts";
import { licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { getOwnLicense } from "./get.ts";
import { requireIdle, requireProvisioned } from "./state-rules.ts";

export interface IpChangeResult extends ChangeOutcome {
  readonly licenseId: LicenseId;
  readonly oldIp: string;
  readonly newIp: string;
}

/**
 * Binds a license, also an expired one, to another address (contract 3.5) and sets its host name if given. The same
 * address changes nothing at the provider, also for a member of a bundle.
 * @throws DomainError `license_not_found`, `operation_in_progress`, `state_invalid`, `ip_change_bundle_member`,
 *   `ip_change_address_taken`, and those of `changeAtProvider`.
 */
export async function changeLicenseIp(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly newIp: LicenseAddress; readonly hostname?: Hostname | undefined },
): Promise<IpChangeResult> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const { newIp, hostname } = input;
  const result = await changeAtProvider(ctx, resellerId, async (now) => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    requireIdle(license);
    requireProvisioned(license);
    if (license.ipAddress === newIp) return null;
    if (license.bundleInstanceId !== null) {
      const message = `This license belongs to bundle ${license.bundleInstanceId}: change the address of the bundle.`;
      throw new DomainError("ip_change_bundle_member", message, { details: { new_ip: message } });
    }
    return {
      kind: "license_change_ip",
      licenseId: license.id,
      lockLicenses: [license],
      claims: [claimAddress(license, newIp, now)],
      plan: (operationId) => ({
        provider: license.provider,
        steps: planSteps(operationId, [{ action: "set_address", subject: { ...license, ipAddress: newIp } }]),
        onSuccess: {
          licenses: [{ key: license.key, ipAddress: newIp, ...(hostname === undefined ? {} : { hostname }) }],
          events: [
            licenseEvent("license.ip_changed", license.key, { old_ip: license.ipAddress, new_ip: newIp }),
            ...(hostname === undefined || hostname === license.hostname
              ? []
              : [licenseEvent("license.updated", license.key)]),
          ],
        },
        onRejection: { licenses: [], events: [] },
        facts: { oldIp: license.ipAddress },
      }),
    };
  });
  return {
    ...toChangeOutcome(result),
    licenseId: input.licenseId as LicenseId,
    oldIp: result ? readFacts(result.operation, "license_change_ip").oldIp : newIp,
    newIp,
  };
}
