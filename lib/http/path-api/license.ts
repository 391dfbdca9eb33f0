import { z } from "zod";
import { invalidParameters } from "#lib/domain/errors.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import type { Ipv4 } from "#lib/domain/ipv4.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { toDay, toTimestamp } from "#lib/domain/times.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { getLicenseStatus, type LicenseSelector } from "#lib/services/license/status.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { verifyLicense } from "#lib/services/license/verify.ts";

const OK = 200;
const ACCEPTED = 202;

/** GET /license/status (decisions 2.1). */
export const licenseStatus = defineEndpoint({
  name: "license.status",
  method: "GET",
  scope: "licenses:verify",
  parameters: z.object({
    license_key: parameter.licenseKey.optional(),
    license_id: parameter.licenseId.optional(),
    ip_address: parameter.ipv4.optional(),
  }),
  async answer(ctx, parameters, { sourceAddress }) {
    const license = await getLicenseStatus(ctx, toSelector(parameters, sourceAddress));
    return {
      status: OK,
      body: {
        status: deriveLicenseStatus(license, ctx.now()),
        type: license.type,
        expires: toDay(license.expiresAt),
        cores: license.cores ?? 0,
        workers: license.workers,
        ip: license.ipAddress,
        hostname: license.hostname,
      },
    };
  },
});

interface SelectorParameters {
  readonly license_key?: LicenseKey | undefined;
  readonly license_id?: LicenseId | undefined;
  readonly ip_address?: Ipv4 | undefined;
}

function toSelector(
  { license_key, license_id, ip_address }: SelectorParameters,
  sourceAddress: string,
): LicenseSelector {
  if (license_key !== undefined) return { licenseKey: license_key };
  if (license_id !== undefined) return { licenseId: license_id };
  return { ipAddress: ip_address ?? sourceAddress };
}

/** POST /license/verify: always 200 for a well-formed key (decisions 2.2). */
export const licenseVerify = defineEndpoint({
  name: "license.verify",
  method: "POST",
  scope: "licenses:verify",
  parameters: z.object({ license_key: parameter.licenseKey, ip_address: parameter.ipv4.optional() }),
  async answer(ctx, { license_key, ip_address }, { sourceAddress }) {
    const { outcome, type, expiresAt } = await verifyLicense(ctx, {
      licenseKey: license_key,
      ipAddress: ip_address ?? sourceAddress,
    });
    return {
      status: OK,
      body: {
        valid: outcome.valid,
        type: type ?? "",
        expires: expiresAt ? toDay(expiresAt) : "",
        message: outcome.message,
        code: outcome.code,
      },
    };
  },
});

/** POST /license/update (decisions 2.3). */
export const licenseUpdate = defineEndpoint({
  name: "license.update",
  method: "POST",
  scope: "licenses:write",
  parameters: z.object({
    license_key: parameter.licenseKey,
    hostname: parameter.hostname.optional(),
    ip_address: parameter.ipv4.optional(),
  }),
  async answer(ctx, { license_key, hostname, ip_address }) {
    if (hostname === undefined && ip_address === undefined) {
      const message = "or another field to change is required";
      throw invalidParameters([
        { field: "hostname", kind: "missing", message },
        { field: "ip_address", kind: "missing", message },
      ]);
    }
    const { pending, updatedAt } = await updateLicense(ctx, {
      licenseKey: license_key,
      hostname,
      ipAddress: ip_address,
    });
    const message = pending
      ? "The update is pending: the provider has not confirmed it yet."
      : "The license was updated.";
    return { status: pending ? ACCEPTED : OK, body: { success: true, message, updated_at: toTimestamp(updatedAt) } };
  },
});
