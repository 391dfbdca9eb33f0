import { z } from "zod";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { getBundleInstance } from "#lib/services/bundle/get.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import type { LicenseRow } from "#lib/services/license/get.ts";
import {
  changeAnswers,
  changeResult,
  chargeAnswer,
  chargeAnswers,
  chargeFields,
  chargeOrPreview,
  dataAnswers,
  dataResult,
  operationCharge,
  presentPending,
  presentPendingChange,
  providerStatus,
} from "./present.ts";

const member = z
  .strictObject({
    license_id: field.number,
    license_key: field.licenseKey,
    product: field.text,
    expires_at: field.time,
  })
  .meta({ title: "BundleMember" });
const instanceAnswer = {
  bundle_instance_id: field.number,
  bundle_id: field.number,
  name: field.text,
  ip_address: field.text,
  expires_at: field.time,
};

function toMember({ id, key, productName, expiresAt }: LicenseRow) {
  return { license_id: id, license_key: key, product: productName, expires_at: toTimestamp(expiresAt) };
}

/** Responses of this file: contract 3.10. */
export const bundleRegister = defineEndpoint({
  name: "bundle.register",
  method: "POST",
  scope: "bundles:write",
  parameters: (currency) =>
    z.object({
      bundle_id: parameter.integer,
      cycle_id: parameter.integer,
      ip_address: parameter.licenseAddress,
      expected_price: parameter.price(currency).optional(),
      dry_run: parameter.flag.optional(),
    }),
  responses: chargeAnswers({ ...instanceAnswer, licenses: z.array(member) }),
  handle: (ctx, { dryRun, expectedPrice: agreedPrice, ...order }) =>
    chargeOrPreview(ctx, dryRun, async (ctx) => {
      const result = await registerBundle(ctx, { ...order, agreedPrice });
      const { instance } = result;
      const data = {
        bundle_instance_id: instance.id,
        bundle_id: instance.bundleId,
        name: instance.name,
        ip_address: instance.ipAddress,
        expires_at: toTimestamp(instance.expiresAt),
        ...operationCharge(result),
        licenses: instance.members.map(toMember),
      };
      return changeResult("The bundle was registered.", data, presentPending(result));
    }),
});

export const bundleRenew = defineEndpoint({
  name: "bundle.renew",
  method: "POST",
  scope: "bundles:write",
  parameters: (currency) =>
    z.object({
      bundle_instance_id: parameter.integer,
      cycle_id: parameter.integer.optional(),
      expected_price: parameter.price(currency).optional(),
      dry_run: parameter.flag.optional(),
    }),
  responses: chargeAnswers({
    bundle_instance_id: field.number,
    new_expiry: field.time,
    licenses: z.array(z.strictObject({ license_id: field.number, new_expiry: field.time })),
  }),
  handle: (ctx, { dryRun, expectedPrice: agreedPrice, ...renewal }) =>
    chargeOrPreview(ctx, dryRun, async (ctx) => {
      const result = await renewBundle(ctx, { ...renewal, agreedPrice });
      const new_expiry = toTimestamp(result.newExpiry);
      const data = {
        bundle_instance_id: result.bundleInstanceId,
        new_expiry,
        ...operationCharge(result),
        licenses: result.licenseIds.map((license_id) => ({ license_id, new_expiry })),
      };
      return changeResult("The bundle was renewed.", data, presentPending(result));
    }),
});

export const bundleChangeIp = defineEndpoint({
  name: "bundle.change_ip",
  method: "POST",
  scope: "bundles:write",
  parameters: z.object({ bundle_instance_id: parameter.integer, new_ip: parameter.licenseAddress }),
  responses: changeAnswers({
    bundle_instance_id: field.number,
    old_ip: field.text,
    new_ip: field.text,
    provider_status: providerStatus,
    ...chargeAnswer,
    licenses: z.array(z.strictObject({ license_id: field.number, provider_status: providerStatus })),
  }),
  async handle(ctx, change) {
    const { bundleInstanceId, licenseIds, oldIp, newIp, currency, balanceAfter, ...outcome } = await changeBundleIp(
      ctx,
      change,
    );
    const provider_status = outcome.providerStatus;
    const data = {
      bundle_instance_id: bundleInstanceId,
      old_ip: oldIp,
      new_ip: newIp,
      provider_status,
      ...chargeFields({ price: 0n, currency, balanceAfter }),
      licenses: licenseIds.map((license_id) => ({ license_id, provider_status })),
    };
    return changeResult("The bundle's IP address was changed.", data, presentPendingChange(outcome));
  },
});

export const bundleInfo = defineEndpoint({
  name: "bundle.info",
  method: "GET",
  scope: "bundles:read",
  parameters: z.object({ bundle_instance_id: parameter.integer }),
  responses: dataAnswers(
    z.strictObject({ ...instanceAnswer, licenses: z.array(member.extend({ status: field.status })) }),
  ),
  async handle(ctx, selector) {
    const instance = await getBundleInstance(ctx, selector);
    const now = ctx.now();
    return dataResult({
      bundle_instance_id: instance.id,
      bundle_id: instance.bundleId,
      name: instance.name,
      ip_address: instance.ipAddress,
      expires_at: toTimestamp(instance.expiresAt),
      licenses: instance.members.map((member) => ({ ...toMember(member), status: deriveLicenseStatus(member, now) })),
    });
  },
});
