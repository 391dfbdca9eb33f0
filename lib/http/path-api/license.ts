import { z } from "zod";
import { invalidParameters } from "#lib/domain/errors.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { type Ipv4, parseIpv4 } from "#lib/domain/ipv4.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { deriveLicenseStatus, verificationCodes } from "#lib/domain/license-status.ts";
import { toDay, toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { labelNames, labelParameters, optionalLabelFields, presentSetLabels } from "#lib/http/license-labels.ts";
import { parameter } from "#lib/http/parameters.ts";
import { hasPermission, requireReseller } from "#lib/services/context.ts";
import { getLicenseStatus, type LicenseSelector } from "#lib/services/license/status.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { verifyLicense } from "#lib/services/license/verify.ts";
import { ok, pendingResult, updated } from "./present.ts";

const TYPE_MAX_LENGTH = 50;

/** GET /license/status (contract 2.1). Selectors without `licenses:read`: contract 1.14. */
export const licenseStatus = defineEndpoint({
  name: "license.status",
  method: "GET",
  hasEtag: true,
  scope: "licenses:verify",
  permit(ctx, { license_key, license_id, ip_address }, { sourceAddress }) {
    const named = typeof ip_address === "string" ? parseIpv4(ip_address) : (ip_address ?? sourceAddress);
    const namesOwnAddress = license_id === undefined && named === sourceAddress;
    if (license_key === undefined && !namesOwnAddress) requireReseller(ctx, "licenses:read");
  },
  parameters: z.object({
    license_key: parameter.licenseKey.optional(),
    license_id: parameter.licenseId.optional(),
    ip_address: parameter.ipv4.optional(),
    type: parameter.limited(TYPE_MAX_LENGTH).optional(),
  }),
  selectors: {
    license_key: "the license's key, such as LIC-7QGZ1-…",
    license_id: "the license's id, such as lic_12 or 12",
    ip_address: "the IPv4 address that the license is bound to",
  },
  responses: {
    200: z.strictObject({
      status: field.status,
      type: field.text,
      expires: field.day,
      cores: field.count,
      workers: field.count,
      ip: field.text,
      hostname: field.text,
      ...optionalLabelFields,
    }),
  },
  async handle(ctx, { type, ...parameters }, { sourceAddress }) {
    const license = await getLicenseStatus(ctx, { ...toSelector(parameters, sourceAddress), type });
    return ok({
      status: deriveLicenseStatus(license, ctx.now()),
      type: license.type,
      expires: toDay(license.expiresAt),
      cores: license.cores ?? 0,
      workers: license.workers,
      ip: license.ipAddress,
      hostname: license.hostname,
      // Keys on customers' servers do not see whose they are.
      ...(hasPermission(ctx, "licenses:read") ? presentSetLabels(license) : {}),
    });
  },
});

interface SelectorParameters {
  readonly licenseKey?: LicenseKey | undefined;
  readonly licenseId?: LicenseId | undefined;
  readonly ipAddress?: Ipv4 | undefined;
}

/** @throws DomainError `parameters_invalid` for a caller over IPv6 without a selector */
function toSelector({ licenseKey, licenseId, ipAddress }: SelectorParameters, sourceAddress: string): LicenseSelector {
  if (licenseKey !== undefined) return { licenseKey };
  if (licenseId !== undefined) return { licenseId };
  if (ipAddress !== undefined && ipAddress !== sourceAddress) return { ipAddress };
  if (parseIpv4(sourceAddress) !== null) return { ownAddress: sourceAddress };
  const message = `is required: this request comes from ${sourceAddress}, and licenses are bound to IPv4 addresses`;
  throw invalidParameters([{ field: "ip_address", kind: "missing", message }]);
}

/** POST /license/verify: always 200 for a well-formed key (contract 2.2). */
export const licenseVerify = defineEndpoint({
  name: "license.verify",
  method: "POST",
  onlyReads: true,
  scope: "licenses:verify",
  parameters: z.object({ license_key: parameter.licenseKey, ip_address: parameter.ipv4.optional() }),
  responses: {
    200: z.strictObject({
      valid: field.flag,
      type: field.text,
      expires: z.union([field.day, z.literal("")]),
      message: field.text,
      code: z.enum(verificationCodes),
    }),
  },
  async handle(ctx, { licenseKey, ipAddress }, { sourceAddress }) {
    const { outcome, type, expiresAt } = await verifyLicense(ctx, {
      licenseKey,
      ipAddress: ipAddress ?? sourceAddress,
    });
    return ok({
      valid: outcome.valid,
      type: type ?? "",
      expires: expiresAt ? toDay(expiresAt) : "",
      message: outcome.message,
      code: outcome.code,
    });
  },
});

/** POST /license/update (contract 2.3). */
export const licenseUpdate = defineEndpoint({
  name: "license.update",
  method: "POST",
  scope: "licenses:write",
  parameters: z.object({
    license_key: parameter.licenseKey,
    hostname: parameter.hostname.optional(),
    ip_address: parameter.licenseAddress.optional(),
    ...labelParameters,
  }),
  emptiable: labelNames,
  responses: { 200: updated, 202: updated },
  async handle(ctx, { licenseKey, hostname, ipAddress, ...given }) {
    const labels = Object.keys(given).length > 0 ? given : null;
    if (hostname === undefined && ipAddress === undefined && labels === null) {
      const message = "or another field to change is required";
      throw invalidParameters([
        { field: "hostname", kind: "missing", message },
        { field: "ip_address", kind: "missing", message },
      ]);
    }
    const { pendingOperationId, updatedAt } = await updateLicense(ctx, { licenseKey, hostname, ipAddress, labels });
    const updated_at = toTimestamp(updatedAt);
    if (pendingOperationId !== null) return pendingResult("update", pendingOperationId, { updated_at });
    return ok({ success: true, message: "The license was updated.", updated_at });
  },
});
