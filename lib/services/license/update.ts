import { randomUUID } from "node:crypto";
import { updateHostname } from "#lib/db/license/details.ts";
import { findLicenseByKey } from "#lib/db/license/license.ts";
import type { Hostname } from "#lib/domain/hostname.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changeLicenseIp } from "./change-ip.ts";
import { licenseNotFound } from "./get.ts";

export interface UpdateInput {
  readonly licenseKey: LicenseKey;
  readonly hostname?: Hostname | undefined;
  readonly ipAddress?: LicenseAddress | undefined;
}

export interface UpdateResult {
  /** The operation whose outcome is not known yet; null when all is done. */
  readonly pendingOperationId: string | null;
  readonly updatedAt: Date;
}

/**
 * Sets the host name, the address, or both of a license (contract 2.3). A new address goes through the same
 * operation as `license.change_ip`; a refused one leaves the host name as it was.
 * @throws DomainError `license_not_found`, and those of `changeLicenseIp`.
 */
export async function updateLicense(ctx: ServiceContext, input: UpdateInput): Promise<UpdateResult> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const license = await findLicenseByKey(ctx.db, resellerId, input.licenseKey);
  if (!license) throw licenseNotFound("license_key");
  if (input.ipAddress !== undefined) {
    const change = { licenseId: license.id, newIp: input.ipAddress, hostname: input.hostname };
    const { providerStatus, operationId, settledAt } = await changeLicenseIp(ctx, change);
    if (providerStatus !== "unchanged") {
      return {
        pendingOperationId: providerStatus === "pending" ? operationId : null,
        updatedAt: settledAt ?? ctx.now(),
      };
    }
  }
  if (input.hostname !== undefined) {
    await updateHostname(writesOf(ctx), {
      resellerId,
      licenseId: license.id,
      hostname: input.hostname,
      eventId: randomUUID(),
      now: ctx.now(),
    });
  }
  return { pendingOperationId: null, updatedAt: ctx.now() };
}
