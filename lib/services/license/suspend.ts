import type { LicenseRow } from "#lib/db/license.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { isAdmin, requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { type ChangeOutcome, outcomeOf } from "#lib/services/operation/outcome.ts";
import { licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { getOwnLicense } from "./get.ts";
import { impossibleMove } from "./moves.ts";

export interface SuspensionResult extends ChangeOutcome {
  /** As it is afterwards. */
  readonly license: LicenseRow;
}

/**
 * Suspends an active license; one that is suspended already stays as it is (decisions 1.15, 3.7).
 * @throws DomainError `license_not_found`, `state_invalid`, and those of `changeAtProvider`.
 */
export async function suspendLicense(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly reason?: string | undefined },
): Promise<SuspensionResult> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const result = await changeAtProvider(ctx, resellerId, async () => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    const status = deriveLicenseStatus(license, ctx.now());
    if (status === "suspended") return null;
    if (status !== "active") throw impossibleMove(status);
    const reason = input.reason ?? "";
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
  return { ...outcomeOf(result), license: await getOwnLicense(ctx, resellerId, input.licenseId) };
}
