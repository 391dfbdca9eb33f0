import { updateAutoRenew } from "#lib/db/renewal/event.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireSpending, type ServiceContext, writesOf } from "#lib/services/context.ts";
import type { Agreement } from "#lib/services/operation/change-at-provider.ts";
import { requireAgreedRenewal, requireUnlimitedSpending } from "#lib/services/renewals/agree.ts";
import { getOwnLicense } from "./get.ts";
import { quoteOwnRenewals } from "./quote-renewal.ts";
import { invalidState, requireIdle } from "./state-rules.ts";

/**
 * Switches auto-renew (docs/money.md). `agreedPrice` is the renewal price the caller saw; automatic renewals can then
 * charge it.
 * @throws DomainError `license_not_found`, `state_invalid` (terminated, or renews with its bundle), `operation_in_progress`
 *   (with an agreed price), `price_changed`, `cycle_not_found`, `spending_limit_reached`.
 */
export async function setLicenseAutoRenew(
  ctx: ServiceContext,
  input: Agreement & { readonly licenseId: number; readonly on: boolean },
): Promise<{ readonly licenseId: LicenseId; readonly autoRenew: boolean }> {
  const resellerId = requireSpending(ctx, "licenses:write");
  const { on, agreedPrice } = input;
  const license = await getOwnLicense(ctx, resellerId, input.licenseId);
  if (license.bundleInstanceId !== null) {
    throw new DomainError("state_invalid", "This license belongs to a bundle and renews with it.");
  }
  if (agreedPrice !== undefined) {
    // An open renewal sets the agreed price when it settles.
    requireIdle(license);
    requireAgreedRenewal(await quoteOwnRenewals(ctx, resellerId, license, ctx.now()), agreedPrice);
  }
  if (on || agreedPrice !== undefined) requireUnlimitedSpending(ctx);
  const { id, version } = license;
  const agreed =
    agreedPrice === undefined ? { agreedPrice: null, seenVersion: null } : { agreedPrice, seenVersion: version };
  if (!(await updateAutoRenew(writesOf(ctx), { kind: "license", id, resellerId, on, ...agreed }, changedBy(ctx)))) {
    if ((await getOwnLicense(ctx, resellerId, id)).terminatedAt !== null) throw invalidState("terminated");
    // Changed since it was read.
    return setLicenseAutoRenew(ctx, input);
  }
  return { licenseId: license.id, autoRenew: on };
}
