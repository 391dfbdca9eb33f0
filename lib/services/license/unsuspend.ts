import type { LicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { readFacts } from "#lib/domain/operation-plan.ts";
import { permissionDenied } from "#lib/services/actor.ts";
import { isAdmin, requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { toChangeOutcome } from "#lib/services/operation/change-outcome.ts";
import { licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { getOwnLicense, type LicenseRow } from "./get.ts";
import { requireIdle, requireProvisioned } from "./state-rules.ts";
import type { SuspensionResult } from "./suspend.ts";

/**
 * Lifts a suspension; no change if not suspended. Only admins can lift what an admin suspended (contract 1.15).
 * @throws DomainError `license_not_found`, `operation_in_progress`, `state_invalid`, `permission_denied`, and those of `changeAtProvider`.
 */
export async function unsuspendLicense(
  ctx: ServiceContext,
  input: { readonly licenseId: number },
): Promise<SuspensionResult> {
  const resellerId = requireReseller(ctx, "licenses:write");
  let unchanged: LicenseRow | undefined;
  const result = await changeAtProvider(ctx, resellerId, async () => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    requireIdle(license);
    requireProvisioned(license);
    if (license.suspendedAt === null) {
      unchanged = license;
      return null;
    }
    if (license.suspendedBy === "admin" && !isAdmin(ctx)) {
      throw permissionDenied("An administrator suspended this license. Only an administrator can lift that.");
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
        facts: { expiresAt: license.expiresAt.toISOString() },
      }),
    };
  });
  const outcome = toChangeOutcome(result);
  if (result && outcome.settledAt) {
    const isExpired = new Date(readFacts(result.operation, "license_unsuspend").expiresAt) <= outcome.settledAt;
    return { ...outcome, licenseId: input.licenseId as LicenseId, status: isExpired ? "expired" : "active" };
  }
  const license = unchanged ?? (await getOwnLicense(ctx, resellerId, input.licenseId));
  return { ...outcome, licenseId: license.id, status: deriveLicenseStatus(license, ctx.now()) };
}
