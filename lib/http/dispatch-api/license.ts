import { z } from "zod";
import { MAX_CORES } from "#lib/domain/pricing.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { type ExistingLicense, registerLicenseOnce } from "#lib/services/license/register.ts";
import { type RenewInput, renewLicense } from "#lib/services/license/renew.ts";
import {
  changeAnswers,
  changeResult,
  chargeAnswers,
  chargeFields,
  chargeOrPreview,
  operationCharge,
  presentPending,
  presentPendingChange,
  providerStatus,
} from "./present.ts";

export const licenseRegister = defineEndpoint({
  name: "license.register",
  method: "POST",
  scope: "licenses:write",
  parameters: (currency) =>
    z.object({
      product_id: parameter.integer,
      cycle_id: parameter.integer,
      ip_address: parameter.licenseAddress,
      notes: parameter.notes.optional(),
      external_id: parameter.externalId.optional(),
      expected_price: parameter.price(currency).optional(),
      dry_run: parameter.flag.optional(),
    }),
  responses: chargeAnswers({
    license_id: field.number,
    license_key: field.licenseKey,
    expires_at: field.time,
    external_id: field.text.optional(),
    existing: field.flag.optional(),
  }),
  handle: (ctx, { dryRun, expectedPrice: agreedPrice, ...order }) =>
    chargeOrPreview(ctx, dryRun, async (ctx) => {
      const result = await registerLicenseOnce(ctx, { ...order, agreedPrice });
      if ("existing" in result) return changeResult("The license exists already.", toExisting(result));
      const data = {
        license_id: result.licenseId,
        license_key: result.licenseKey,
        expires_at: toTimestamp(result.expiresAt),
        ...operationCharge(result),
        ...(order.externalId === undefined ? {} : { external_id: order.externalId, existing: false }),
      };
      return changeResult("The license was registered.", data, presentPending(result));
    }),
});

function toExisting({ existing: license, ...charge }: ExistingLicense) {
  return {
    license_id: license.id,
    license_key: license.key,
    expires_at: toTimestamp(license.expiresAt),
    ...chargeFields({ price: 0n, ...charge }),
    external_id: license.externalId ?? "",
    existing: true,
  };
}

export const licenseRenew = defineEndpoint({
  name: "license.renew",
  method: "POST",
  scope: "licenses:write",
  parameters: (currency) =>
    z.object({
      license_id: parameter.integer,
      cycle_id: parameter.integer.optional(),
      expected_price: parameter.price(currency).optional(),
      dry_run: parameter.flag.optional(),
    }),
  responses: chargeAnswers({ license_id: field.number, new_expiry: field.time }),
  handle: (ctx, { dryRun, expectedPrice: agreedPrice, ...renewal }) =>
    chargeOrPreview(ctx, dryRun, (ctx) => renew(ctx, { ...renewal, agreedPrice })),
});

export async function renew(ctx: ServiceContext, { licenseId, cycleId, agreedPrice }: RenewInput) {
  const result = await renewLicense(ctx, { licenseId, cycleId, agreedPrice });
  const data = { license_id: result.licenseId, new_expiry: toTimestamp(result.newExpiry), ...operationCharge(result) };
  return changeResult("The license was renewed.", data, presentPending(result));
}

export const licenseChangeIp = defineEndpoint({
  name: "license.change_ip",
  method: "POST",
  scope: "licenses:write",
  parameters: z.object({ license_id: parameter.integer, new_ip: parameter.licenseAddress }),
  responses: changeAnswers({
    license_id: field.number,
    old_ip: field.text,
    new_ip: field.text,
    provider_status: providerStatus,
  }),
  async handle(ctx, change) {
    const { licenseId, oldIp, newIp, ...outcome } = await changeLicenseIp(ctx, change);
    const data = { license_id: licenseId, old_ip: oldIp, new_ip: newIp, provider_status: outcome.providerStatus };
    return changeResult("The IP address was changed.", data, presentPendingChange(outcome));
  },
});

/** Response: contract 3.6. */
export const licenseChangeCore = defineEndpoint({
  name: "license.change_core",
  method: "POST",
  scope: "licenses:write",
  parameters: (currency) =>
    z.object({
      license_id: parameter.integer,
      cores: parameter.integerUpTo(MAX_CORES),
      expected_price: parameter.price(currency).optional(),
      dry_run: parameter.flag.optional(),
    }),
  responses: chargeAnswers({
    license_id: field.number,
    old_cores: field.count,
    new_cores: field.count,
    provider_status: providerStatus,
  }),
  handle: (ctx, { dryRun, expectedPrice: agreedPrice, ...change }) =>
    chargeOrPreview(ctx, dryRun, async (ctx) => {
      const result = await changeLicenseCores(ctx, { ...change, agreedPrice });
      const data = {
        license_id: result.licenseId,
        old_cores: result.oldCores,
        new_cores: result.newCores,
        provider_status: result.providerStatus,
        ...chargeFields(result),
      };
      return changeResult("The cores were changed.", data, presentPendingChange(result));
    }),
});
