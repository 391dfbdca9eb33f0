import type { LicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus, type LicenseStatus } from "#lib/domain/license-status.ts";
import { isAdmin, requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { type ChangeOutcome, toChangeOutcome } from "#lib/services/operation/change-outcome.ts";
import { licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { getOwnLicense, type LicenseRow } from "./get.ts";
import { requireIdle, requireProvisioned } from "./state-rules.ts";

export interface SuspensionResult extends ChangeOutcome {
  readonly licenseId: LicenseId;
  /** After the change, or the current one if nothing has changed yet. */
  readonly status: LicenseStatus;
}

export interface SuspendedResult extends SuspensionResult {
  readonly reason: string;
  readonly suspendedAt: Date | null;
}

/**
 * Suspends a license, also an expired one. No change if already suspended (contract 1.15, 3.7).
 * @throws DomainError `license_not_found`, `operation_in_progress`, `state_invalid`, and those of `changeAtProvider`.
 */
export async function suspendLicense(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly reason?: string | undefined },
): Promise<SuspendedResult> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const { reason = "" } = input;
  let unchanged: LicenseRow | undefined;
  const result = await changeAtProvider(ctx, resellerId, async () => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    requireIdle(license);
    requireProvisioned(license);
    if (license.suspendedAt !== null) {
      unchanged = license;
      return null;
    }
    return {
      kind: "license_suspend",
      licenseId: license.id,
      lockLicenses: [license],
      plan: (operationId) => ({
        provider: license.provider,
        steps: planSteps(operationId, [{ action: "suspend", subject: license }]),
        onSuccess: {
          licenses: [{ key: license.key, suspension: { by: isAdmin(ctx) ? "admin" : "reseller", reason } }],
          events: [licenseEvent("license.suspended", license.key, { reason })],
        },
        onRejection: { licenses: [], events: [] },
        facts: {},
      }),
    };
  });
  const outcome = toChangeOutcome(result);
  if (outcome.settledAt) {
    const { settledAt: suspendedAt } = outcome;
    return { ...outcome, licenseId: input.licenseId as LicenseId, status: "suspended", reason, suspendedAt };
  }
  const license = unchanged ?? (await getOwnLicense(ctx, resellerId, input.licenseId));
  const { id: licenseId, suspensionReason, suspendedAt } = license;
  const status = deriveLicenseStatus(license, ctx.now());
  return { ...outcome, licenseId, status, reason: suspensionReason, suspendedAt };
}
