import { randomUUID } from "node:crypto";
import { findLicenseByKey } from "#lib/db/license.ts";
import { updateHostname } from "#lib/db/license-details.ts";
import type { Hostname } from "#lib/domain/hostname.ts";
import type { Ipv4 } from "#lib/domain/ipv4.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changeLicenseIp } from "./change-ip.ts";
import { licenseNotFound } from "./get.ts";

export interface UpdateInput {
  readonly licenseKey: LicenseKey;
  readonly hostname?: Hostname | undefined;
  readonly ipAddress?: Ipv4 | undefined;
}

/**
 * Tells the host name, the address, or both of a license (decisions 2.3). A new address goes through the same
 * operation as `license.change_ip`; a refused one leaves the host name as it was.
 * @throws DomainError `license_not_found`, and those of `changeLicenseIp`.
 */
export async function updateLicense(
  ctx: ServiceContext,
  input: UpdateInput,
): Promise<{ readonly pending: boolean; readonly updatedAt: Date }> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const license = await findLicenseByKey(ctx.db, resellerId, input.licenseKey);
  if (!license) throw licenseNotFound();
  if (input.ipAddress !== undefined) {
    const change = { licenseId: license.id, newIp: input.ipAddress, hostname: input.hostname };
    const { providerStatus } = await changeLicenseIp(ctx, change);
    if (providerStatus !== "unchanged") return { pending: providerStatus === "pending", updatedAt: ctx.now() };
  }
  if (input.hostname !== undefined) {
    await updateHostname(ctx.db, {
      resellerId,
      licenseId: license.id,
      hostname: input.hostname,
      eventId: randomUUID(),
      now: ctx.now(),
    });
  }
  return { pending: false, updatedAt: ctx.now() };
}
