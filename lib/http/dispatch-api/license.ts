import { z } from "zod";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { toMajorNumber } from "#lib/domain/money.ts";
import { MAX_CORES } from "#lib/domain/pricing.ts";
import { daysRemaining } from "#lib/domain/term.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { getLicense } from "#lib/services/license/get.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import {
  changeAnswers,
  changeResult,
  chargeAnswer,
  chargeFields,
  dataAnswers,
  dataResult,
  presentPending,
  presentPendingChange,
  providerStatus,
} from "./present.ts";

export const licenseRegister = defineEndpoint({
  name: "license.register",
  method: "POST",
  effect: "writes",
  scope: "licenses:write",
  parameters: (currency) =>
    z.object({
      product_id: parameter.integer,
      cycle_id: parameter.integer,
      ip_address: parameter.licenseAddress,
      notes: parameter.notes.optional(),
      expected_price: parameter.price(currency).optional(),
    }),
  responses: changeAnswers({
    license_id: field.number,
    license_key: field.licenseKey,
    expires_at: field.time,
    ...chargeAnswer,
  }),
  async handle(ctx, { product_id, cycle_id, ip_address, notes, expected_price }) {
    const result = await registerLicense(ctx, {
      productId: product_id,
      cycleId: cycle_id,
      ipAddress: ip_address,
      notes,
      agreedPrice: expected_price,
    });
    const data = {
      license_id: result.licenseId,
      license_key: result.licenseKey,
      expires_at: toTimestamp(result.expiresAt),
      ...chargeFields(result),
    };
    return changeResult("The license was registered.", data, presentPending(result));
  },
});

export const licenseRenew = defineEndpoint({
  name: "license.renew",
  method: "POST",
  effect: "writes",
  scope: "licenses:write",
  parameters: (currency) =>
    z.object({
      license_id: parameter.integer,
      cycle_id: parameter.integer.optional(),
      expected_price: parameter.price(currency).optional(),
    }),
  responses: changeAnswers({ license_id: field.number, new_expiry: field.time, ...chargeAnswer }),
  async handle(ctx, { license_id, cycle_id, expected_price }) {
    const result = await renewLicense(ctx, {
      licenseId: license_id,
      cycleId: cycle_id,
      agreedPrice: expected_price,
    });
    const data = { license_id: result.licenseId, new_expiry: toTimestamp(result.newExpiry), ...chargeFields(result) };
    return changeResult("The license was renewed.", data, presentPending(result));
  },
});

export const licenseChangeIp = defineEndpoint({
  name: "license.change_ip",
  method: "POST",
  effect: "writes",
  scope: "licenses:write",
  parameters: z.object({ license_id: parameter.integer, new_ip: parameter.licenseAddress }),
  responses: changeAnswers({
    license_id: field.number,
    old_ip: field.text,
    new_ip: field.text,
    provider_status: providerStatus,
  }),
  async handle(ctx, { license_id, new_ip }) {
    const { licenseId, oldIp, newIp, ...outcome } = await changeLicenseIp(ctx, {
      licenseId: license_id,
      newIp: new_ip,
    });
    const data = { license_id: licenseId, old_ip: oldIp, new_ip: newIp, provider_status: outcome.providerStatus };
    return changeResult("The IP address was changed.", data, presentPendingChange(outcome));
  },
});

/** Response: contract 3.6. */
export const licenseChangeCore = defineEndpoint({
  name: "license.change_core",
  method: "POST",
  effect: "writes",
  scope: "licenses:write",
  parameters: (currency) =>
    z.object({
      license_id: parameter.integer,
      cores: parameter.integerUpTo(MAX_CORES),
      expected_price: parameter.price(currency).optional(),
    }),
  responses: changeAnswers({
    license_id: field.number,
    old_cores: field.count,
    new_cores: field.count,
    provider_status: providerStatus,
    ...chargeAnswer,
  }),
  async handle(ctx, { license_id, cores, expected_price }) {
    const result = await changeLicenseCores(ctx, { licenseId: license_id, cores, agreedPrice: expected_price });
    const { currency } = result;
    const data = {
      license_id: result.licenseId,
      old_cores: result.oldCores,
      new_cores: result.newCores,
      provider_status: result.providerStatus,
      price: toMajorNumber(result.price, currency),
      currency,
      balance_after: toMajorNumber(result.balanceAfter, currency),
    };
    return changeResult("The cores were changed.", data, presentPendingChange(result));
  },
});

/** Response: contract 3.7. */
export const licenseSuspend = defineEndpoint({
  name: "license.suspend",
  method: "POST",
  effect: "writes",
  scope: "licenses:write",
  parameters: z.object({ license_id: parameter.integer, reason: parameter.reason.optional() }),
  responses: changeAnswers({
    license_id: field.number,
    status: field.status,
    reason: field.text,
    suspended_at: field.time.nullable(),
  }),
  async handle(ctx, { license_id, reason }) {
    const result = await suspendLicense(ctx, { licenseId: license_id, reason });
    const data = {
      license_id: result.licenseId,
      status: result.status,
      reason: result.reason,
      suspended_at: result.suspendedAt ? toTimestamp(result.suspendedAt) : null,
    };
    return changeResult("The license was suspended.", data, presentPendingChange(result));
  },
});

/** Response: contract 3.7. */
export const licenseUnsuspend = defineEndpoint({
  name: "license.unsuspend",
  method: "POST",
  effect: "writes",
  scope: "licenses:write",
  parameters: z.object({ license_id: parameter.integer }),
  responses: changeAnswers({ license_id: field.number, status: field.status }),
  async handle(ctx, { license_id }) {
    const result = await unsuspendLicense(ctx, { licenseId: license_id });
    const data = { license_id: result.licenseId, status: result.status };
    return changeResult("The license was reactivated.", data, presentPendingChange(result));
  },
});

/** Irreversible, so its scope is its own (contract 1.14). */
export const licenseTerminate = defineEndpoint({
  name: "license.terminate",
  method: "POST",
  effect: "writes",
  scope: "licenses:terminate",
  parameters: z.object({ license_id: parameter.integer }),
  responses: changeAnswers({ license_id: field.number, provider_status: providerStatus }),
  async handle(ctx, { license_id }) {
    const result = await terminateLicense(ctx, { licenseId: license_id });
    const data = { license_id, provider_status: result.providerStatus };
    return changeResult("The license was terminated.", data, presentPendingChange(result));
  },
});

export const licenseInfo = defineEndpoint({
  name: "license.info",
  method: "GET",
  scope: "licenses:read",
  parameters: z.object({ license_id: parameter.integer }),
  responses: dataAnswers(
    z.strictObject({
      license_id: field.number,
      license_key: field.licenseKey,
      product: field.text,
      ip_address: field.text,
      status: field.status,
      issued_at: field.time,
      expires_at: field.time,
      days_remaining: field.count,
      cores: field.count.nullable(),
      notes: field.text,
      bundle_instance_id: field.number.optional(),
      operation_id: field.operationId.optional(),
    }),
  ),
  async handle(ctx, { license_id }) {
    const license = await getLicense(ctx, { licenseId: license_id });
    const now = ctx.now();
    return dataResult({
      license_id: license.id,
      license_key: license.key,
      product: license.productName,
      ip_address: license.ipAddress,
      status: deriveLicenseStatus(license, now),
      issued_at: toTimestamp(license.issuedAt),
      expires_at: toTimestamp(license.expiresAt),
      days_remaining: daysRemaining(license.expiresAt, now),
      cores: license.cores,
      notes: license.notes,
      ...(license.bundleInstanceId === null ? {} : { bundle_instance_id: license.bundleInstanceId }),
      // Present while a change is open: a downstream installation must not use the previous state as the outcome
      // (decision 7).
      ...(license.openOperationId === null ? {} : { operation_id: license.openOperationId }),
    });
  },
});
