import { randomUUID } from "node:crypto";
import { updateHostname } from "#lib/db/license/details.ts";
import { findLicenseByKey, type LicenseRow } from "#lib/db/license/license.ts";
import { findOperation } from "#lib/db/operation/operation.ts";
import type { Hostname } from "#lib/domain/hostname.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { LabelChange } from "#lib/domain/labels.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { isOpen, operationInProgress } from "#lib/domain/operation.ts";
import { readPlan } from "#lib/domain/operation-plan.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changeLicenseIp } from "./change-ip.ts";
import { getOwnLicense, licenseNotFound } from "./get.ts";
import { setLicenseLabels } from "./set-labels.ts";

export interface UpdateInput {
  readonly licenseKey: LicenseKey;
  readonly hostname?: Hostname | undefined;
  readonly ipAddress?: LicenseAddress | undefined;
  /** Of customer and tags; null: none. */
  readonly labels?: LabelChange | null | undefined;
}

export interface UpdateResult {
  /** The open operation; null when done. */
  readonly pendingOperationId: string | null;
  readonly updatedAt: Date;
}

/**
 * Sets host name, address, customer and tags (contract 2.3). A new address is a `license.change_ip`; if it is rejected, the
 * others stay.
 * @throws DomainError `license_not_found`, `operation_in_progress` (an open one sets a host name), and those of
 *   `changeLicenseIp`.
 */
export async function updateLicense(ctx: ServiceContext, input: UpdateInput): Promise<UpdateResult> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const license = await findLicenseByKey(ctx.db, resellerId, input.licenseKey);
  if (!license) throw licenseNotFound("license_key");
  if (input.ipAddress !== undefined) {
    const change = { licenseId: license.id, newIp: input.ipAddress, hostname: input.hostname };
    const { providerStatus, operationId, settledAt } = await changeLicenseIp(ctx, change);
    if (providerStatus !== "unchanged") {
      // A replay tells the outcome; what has been written since then stays.
      if (!ctx.settledOperation) await updateLabels(ctx, license.id, input.labels);
      return {
        pendingOperationId: providerStatus === "pending" ? operationId : null,
        updatedAt: settledAt ?? ctx.now(),
      };
    }
  }
  if (input.hostname !== undefined) await setHostname(ctx, resellerId, license, input.hostname);
  await updateLabels(ctx, license.id, input.labels);
  return { pendingOperationId: null, updatedAt: ctx.now() };
}

/** Repeats if the host name changed or an operation opened since the read. @throws as `requireNoOpenHostname` */
async function setHostname(
  ctx: ServiceContext,
  resellerId: ResellerId,
  license: LicenseRow,
  hostname: Hostname,
): Promise<void> {
  await requireNoOpenHostname(ctx, license);
  if (license.hostname === hostname) return;
  const change = { resellerId, licenseId: license.id, hostname, seen: license, eventId: randomUUID(), now: ctx.now() };
  if (await updateHostname(writesOf(ctx), change)) return;
  await setHostname(ctx, resellerId, await getOwnLicense(ctx, resellerId, license.id), hostname);
}

/** @throws DomainError `operation_in_progress` if an open operation sets a host name, which would replace a newer one */
async function requireNoOpenHostname(ctx: ServiceContext, { openOperationId }: LicenseRow): Promise<void> {
  const operation = openOperationId === null ? null : await findOperation(ctx.db, openOperationId);
  if (!operation || !isOpen(operation.state)) return;
  const { licenses } = readPlan(operation).onSuccess;
  if (licenses.some(({ hostname }) => hostname !== undefined)) throw operationInProgress(operation.id);
}

async function updateLabels(ctx: ServiceContext, licenseId: LicenseId, change: UpdateInput["labels"]): Promise<void> {
  if (change) await setLicenseLabels(ctx, { licenseId, change });
}
