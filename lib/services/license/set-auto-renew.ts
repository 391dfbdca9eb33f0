import { updateAutoRenew } from "#lib/db/renewal-events.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { getOwnLicense } from "./get.ts";
import { impossibleMove } from "./moves.ts";

/**
 * Chooses whether a license renews by itself before its end (docs/money.md).
 * @throws DomainError `license_not_found`, `state_invalid` (terminated, or renews with its bundle).
 */
export async function setLicenseAutoRenew(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly on: boolean },
): Promise<{ readonly licenseId: LicenseId; readonly autoRenew: boolean }> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const { on } = input;
  const license = await getOwnLicense(ctx, resellerId, input.licenseId);
  if (license.bundleInstanceId !== null) {
    throw new DomainError("state_invalid", "This license belongs to a bundle and renews with it.");
  }
  if (!(await updateAutoRenew(ctx.db, { kind: "license", id: license.id, resellerId, on }))) {
    throw impossibleMove("terminated");
  }
  return { licenseId: license.id, autoRenew: on };
}
