import { type LicenseSelection, listSelectedLicenses, type SelectedLicense } from "#lib/db/bulk/selection.ts";
import { MAX_ADDRESS_CHANGES } from "#lib/domain/bulk.ts";
import { findBulkObstacle } from "#lib/domain/bulk-license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { ipv4Number } from "#lib/domain/ipv4.ts";
import { isAdmin, requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { countObstacles, type SkippedCount } from "./plan.ts";

export type MovableLicense = Pick<SelectedLicense, "id" | "productId" | "productName" | "ipAddress">;

export interface AddressChangePlan {
  /** By present address. */
  readonly movable: readonly MovableLicense[];
  readonly skipped: readonly SkippedCount[];
}

/**
 * Lists the selected licenses that can get other addresses, and counts the others by reason. Reads only.
 * @throws DomainError `state_invalid` (more than 200)
 */
export async function planAddressChanges(
  ctx: ServiceContext,
  input: { readonly selection: LicenseSelection },
): Promise<AddressChangePlan> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  return planOwnAddressChanges(ctx, resellerId, input.selection);
}

/** The caller checks permissions. */
export async function planOwnAddressChanges(
  ctx: ServiceContext,
  resellerId: ResellerId,
  selection: LicenseSelection,
): Promise<AddressChangePlan> {
  const now = ctx.now();
  const conditions = { now, asAdmin: isAdmin(ctx) };
  const licenses = await listSelectedLicenses(ctx.db, resellerId, selection, { now, limit: MAX_ADDRESS_CHANGES + 1 });
  if (licenses.length > MAX_ADDRESS_CHANGES) {
    const message = `At most ${MAX_ADDRESS_CHANGES} licenses can change their IP at once. Select fewer.`;
    throw new DomainError("state_invalid", message);
  }
  const judged = licenses.map((license) => ({
    license,
    obstacle: findBulkObstacle({ kind: "change_ip" }, license, conditions),
  }));
  const movable = judged.flatMap(({ license, obstacle }) => (obstacle === null ? license : []));
  return { movable: movable.sort(compareAddresses), skipped: countObstacles(judged) };
}

function compareAddresses(one: MovableLicense, other: MovableLicense): number {
  return ipv4Number(one.ipAddress) - ipv4Number(other.ipAddress) || one.id - other.id;
}
