import { z } from "zod";
import { invalidParameters, isDomainError } from "#lib/domain/errors.ts";
import { parseLicenseKey } from "#lib/domain/license-key.ts";
import {
  deriveLicenseStatus,
  unknownLicenseOutcome,
  type VerificationCode,
  verificationCodes,
  verificationOutcome,
} from "#lib/domain/license-status.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { dataAnswers, dataResult } from "#lib/http/dispatch-api/present.ts";
import { parameter } from "#lib/http/parameters.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { LicenseRow } from "#lib/services/license/get.ts";
import { getLicenseStatus, type LicenseSelector } from "#lib/services/license/status.ts";
import { listVerifications } from "#lib/services/license/verifications.ts";
import { presentSuspension, suspension } from "./licenses.ts";
import type { Tool } from "./tool.ts";

const RECENT = 5;
const TEXT_MAX_LENGTH = 100;

const recent = z.strictObject({ checked_at: field.time, code: z.enum(verificationCodes), ip_address: field.text });

export const explainVerification: Tool = {
  name: "explain_verification",
  title: "Explain a failed verification",
  description:
    "Says whether a license verifies on an address now and, if not, why and what to do. Give the license key, the server's address, or both. Records no verification. A license of another reseller is answered like one that does not exist.",
  about: {
    license_key: "The license key that the server sends. It may be mistyped.",
    ip_address: "The IPv4 address of the server. Default: the address that the license is bound to.",
    type: "The product's type, such as control_panel, if several licenses are on the address and there is no key.",
  },
  endpoint: defineEndpoint({
    name: "explain_verification",
    method: "GET",
    scope: "licenses:read",
    parameters: z.object({
      license_key: parameter.limited(TEXT_MAX_LENGTH).optional(),
      ip_address: parameter.ipv4.optional(),
      type: parameter.limited(TEXT_MAX_LENGTH).optional(),
    }),
    responses: dataAnswers(
      z.strictObject({
        verifies: field.flag,
        code: z.enum([...verificationCodes, "MALFORMED_KEY"]),
        reason: field.text,
        advice: field.text,
        license: z
          .strictObject({
            license_id: field.number,
            license_key: field.licenseKey,
            product: field.text,
            ip_address: field.text,
            status: field.status,
            expires_at: field.time,
            auto_renew: field.flag,
            suspension: suspension.nullable(),
          })
          .nullable(),
        recent_verifications: z.array(recent),
      }),
    ),
    async handle(ctx, { licenseKey: typedKey, ipAddress, type }) {
      const licenseKey = typedKey === undefined ? undefined : parseLicenseKey(typedKey);
      if (licenseKey === null) return dataResult(MALFORMED);
      if (licenseKey !== undefined) return explain(ctx, await find(ctx, { licenseKey }), ipAddress);
      if (ipAddress !== undefined) return explain(ctx, await find(ctx, { ipAddress, type }), ipAddress);
      throw invalidParameters([{ field: "license_key", kind: "missing", message: "or ip_address is required" }]);
    },
  }),
};

const NOTHING = { verifies: false, license: null, recent_verifications: [] };
const MALFORMED = {
  ...NOTHING,
  code: "MALFORMED_KEY" as const,
  reason: "This is no license key: it has another format or a wrong check character, as after a typing error.",
  advice: "Compare it with the key of the license. find_licenses finds it by address or host name.",
};
const UNKNOWN = {
  ...NOTHING,
  code: unknownLicenseOutcome.code,
  reason: "You have no license with this key or, without a key, none on this address that is not terminated.",
  advice: "Find the server's license with find_licenses by host name or notes. If there is none, register one.",
};

/** Null also for another reseller's (contract 1.12). */
async function find(
  ctx: ServiceContext,
  selector: LicenseSelector & { type?: string | undefined },
): Promise<LicenseRow | null> {
  return getLicenseStatus(ctx, selector).catch((error: unknown) => {
    if (isDomainError(error) && error.code === "license_not_found") return null;
    throw error;
  });
}

async function explain(ctx: ServiceContext, license: LicenseRow | null, ipAddress: string | undefined) {
  if (license === null) return dataResult(UNKNOWN);
  const now = ctx.now();
  const seenIp = ipAddress ?? license.ipAddress;
  const { valid, code } = verificationOutcome({ facts: license, boundIp: license.ipAddress, seenIp, now });
  const input = { licenseId: license.id, codes: null, before: null, limit: RECENT };
  const { rows: verifications } = await listVerifications(ctx, input);
  return dataResult({
    verifies: valid,
    code,
    ...explainCode(code, license, seenIp),
    license: {
      license_id: license.id,
      license_key: license.key,
      product: license.productName,
      ip_address: license.ipAddress,
      status: deriveLicenseStatus(license, now),
      expires_at: toTimestamp(license.expiresAt),
      auto_renew: license.autoRenew,
      suspension: presentSuspension(license),
    },
    recent_verifications: verifications.map(({ checkedAt, code, seenIp }) => ({
      checked_at: toTimestamp(checkedAt),
      code,
      ip_address: seenIp,
    })),
  });
}

interface Explanation {
  readonly reason: string;
  readonly advice: string;
}

function explainCode(code: VerificationCode, license: LicenseRow, seenIp: string): Explanation {
  const { id, ipAddress } = license;
  switch (code) {
    case "VALID":
      return {
        reason: `License ${id} is active and bound to ${ipAddress}.`,
        advice: "If a server still fails, see recent_verifications for the address and the code that it got.",
      };
    case "IP_MISMATCH":
      return {
        reason: `License ${id} is bound to ${ipAddress}, not to ${seenIp}.`,
        advice: `If the server has moved, change the license's IP to ${seenIp}. If it sends from several addresses, let it send from ${ipAddress}.`,
      };
    case "SUSPENDED":
      return explainSuspension(license);
    case "EXPIRED":
      return {
        reason: `License ${id} expired at ${toTimestamp(license.expiresAt)}.`,
        advice:
          license.bundleInstanceId === null
            ? `Renew it with renew_license.${license.autoRenew ? " Auto-renew is on: check the balance with get_balance." : ""}`
            : `It renews with bundle ${license.bundleInstanceId}: renew that.`,
      };
    case "PENDING":
      return {
        reason: `License ${id} is pending: the provider has not confirmed its registration.`,
        advice: "Wait: License Desk asks the provider until the outcome is known. It is not charged if it is rejected.",
      };
    case "TERMINATED":
      return {
        reason: `License ${id} was terminated for good.`,
        advice: "It cannot be restored. Register a new license for the server.",
      };
    case "NOT_FOUND":
      return UNKNOWN;
    default:
      return code satisfies never;
  }
}

function explainSuspension({ id, suspendedBy, suspensionReason }: LicenseRow): Explanation {
  const byAdmin = suspendedBy === "admin";
  const reason = suspensionReason === "" ? "No reason was given." : `The reason: ${suspensionReason}`;
  return {
    reason: `License ${id} was suspended by ${byAdmin ? "an administrator" : "you"}. ${reason}`,
    advice: byAdmin
      ? "Only an administrator can lift this: contact the operator of License Desk."
      : "Unsuspend it once the reason no longer applies.",
  };
}
