import { DomainError } from "#lib/domain/errors.ts";
import { permissionDenied } from "#lib/services/actor.ts";
import { isAdmin, requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { type ChangeOutcome, toChangeOutcome } from "#lib/services/operation/change-outcome.ts";
import { licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { getOwnLicense } from "./get.ts";
import { requireIdle, requireRunning } from "./state-rules.ts";

/**
 * Ends a license for good before its term does, frees its address and refunds nothing (docs/decisions/0011). No change if
 * already terminated (contract 1.15).
 * @throws DomainError `license_not_found`, `permission_denied` (suspended by an admin), `operation_in_progress`,
 *   `state_invalid` (expired, in a bundle), `provider_rejected`, and those of `changeAtProvider`.
 */
export async function terminateLicense(
  ctx: ServiceContext,
  input: { readonly licenseId: number },
): Promise<ChangeOutcome> {
  const resellerId = requireReseller(ctx, "licenses:terminate");
  const result = await changeAtProvider(ctx, resellerId, async (now) => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    if (license.terminatedAt !== null) return null;
    requireIdle(license);
    if (license.bundleInstanceId !== null) {
      throw new DomainError("state_invalid", "This license belongs to a bundle and ends with it.");
    }
    if (license.suspendedBy === "admin" && !isAdmin(ctx)) {
      throw permissionDenied("An administrator suspended this license. Only an administrator can terminate it.");
    }
    requireRunning(license, now);
    return {
      kind: "license_terminate",
      licenseId: license.id,
      lockLicenses: [license],
      plan: (operationId) => ({
        provider: license.provider,
        steps: planSteps(operationId, [
          { action: "terminate", subject: license, wasSuspended: license.suspendedBy !== null },
        ]),
        onSuccess: {
          licenses: [{ key: license.key, terminated: true }],
          events: [licenseEvent("license.terminated", license.key)],
        },
        onRejection: { licenses: [], events: [] },
        facts: {},
      }),
    };
  });
  return toChangeOutcome(result);
}
