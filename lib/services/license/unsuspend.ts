import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { isAdmin, permissionDenied, requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { outcomeOf } from "#lib/services/operation/outcome.ts";
import { licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { getOwnLicense } from "./get.ts";
import { impossibleMove } from "./moves.ts";
import type { SuspensionResult } from "./suspend.ts";

/**
 * Lifts a suspension; an active license stays as it is. What an admin suspended, only an admin can lift
 * (decisions 1.15).
 * @throws DomainError `license_not_found`, `state_invalid`, `permission_denied`, and those of `changeAtProvider`.
 */
export async function unsuspendLicense(
  ctx: ServiceContext,
  input: { readonly licenseId: number },
): Promise<SuspensionResult> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const result = await changeAtProvider(ctx, resellerId, async () => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    const status = deriveLicenseStatus(license, ctx.now());
    if (status === "active") return null;
    if (status !== "suspended") throw impossibleMove(status);
    if (license.suspendedBy === "admin" && !isAdmin(ctx)) {
      throw permissionDenied("This license was suspended by an admin, and only an admin can lift that.");
    }
    return {
      kind: "license_unsuspend",
      licenseId: license.id,
      lockLicenses: [license],
      plan: (operationId) => ({
        provider: license.provider,
        steps: planSteps(operationId, [{ action: "unsuspend", subject: license }]),
        onSuccess: {
          licenses: [{ key: license.key, suspension: { by: null } }],
          events: [licenseEvent("license.unsuspended", license.key)],
        },
        onRejection: { licenses: [], events: [] },
        facts: {},
      }),
    };
  });
  return { ...outcomeOf(result), license: await getOwnLicense(ctx, resellerId, input.licenseId) };
}
