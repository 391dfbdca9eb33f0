import { z } from "zod";
import { toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { labelFields, labelNames, labelParameters, presentLabels } from "#lib/http/license-labels.ts";
import { parameter } from "#lib/http/parameters.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { setLicenseLabels } from "#lib/services/license/set-labels.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { changeAnswers, changeResult, doneAnswers, presentPendingChange, providerStatus } from "./present.ts";

/** Response: contract 3.7. */
export const licenseSuspend = defineEndpoint({
  name: "license.suspend",
  method: "POST",
  scope: "licenses:write",
  parameters: z.object({ license_id: parameter.integer, reason: parameter.reason.optional() }),
  responses: changeAnswers({
    license_id: field.number,
    status: field.status,
    reason: field.text,
    suspended_at: field.time.nullable(),
  }),
  async handle(ctx, suspension) {
    const result = await suspendLicense(ctx, suspension);
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
  scope: "licenses:write",
  parameters: z.object({ license_id: parameter.integer }),
  responses: changeAnswers({ license_id: field.number, status: field.status }),
  async handle(ctx, selector) {
    const result = await unsuspendLicense(ctx, selector);
    const data = { license_id: result.licenseId, status: result.status };
    return changeResult("The license was reactivated.", data, presentPendingChange(result));
  },
});

/** Irreversible, so its scope is its own (contract 1.14). */
export const licenseTerminate = defineEndpoint({
  name: "license.terminate",
  method: "POST",
  scope: "licenses:terminate",
  parameters: z.object({ license_id: parameter.integer }),
  responses: changeAnswers({ license_id: field.number, provider_status: providerStatus }),
  async handle(ctx, { licenseId }) {
    const result = await terminateLicense(ctx, { licenseId });
    const data = { license_id: licenseId, provider_status: result.providerStatus };
    return changeResult("The license was terminated.", data, presentPendingChange(result));
  },
});

/** `expected_price` becomes the agreed price of automatic renewals (contract 3.4). */
export const licenseSetAutoRenew = defineEndpoint({
  name: "license.set_auto_renew",
  method: "POST",
  scope: "licenses:write",
  parameters: (currency) =>
    z.object({
      license_id: parameter.integer,
      auto_renew: parameter.flag,
      expected_price: parameter.price(currency).optional(),
    }),
  responses: doneAnswers({ license_id: field.number, auto_renew: field.flag }),
  async handle(ctx, { licenseId, autoRenew: on, expectedPrice: agreedPrice }) {
    const { autoRenew } = await setLicenseAutoRenew(ctx, { licenseId, on, agreedPrice });
    return changeResult(`Auto-renew is ${autoRenew ? "on" : "off"}.`, { license_id: licenseId, auto_renew: autoRenew });
  },
});

/** Changes what is given (contract 3.19). */
export const licenseSetLabels = defineEndpoint({
  name: "license.set_labels",
  method: "POST",
  scope: "licenses:write",
  parameters: z.object({ license_id: parameter.integer, ...labelParameters }),
  emptiable: labelNames,
  responses: doneAnswers({ license_id: field.number, ...labelFields }),
  async handle(ctx, { licenseId, ...change }) {
    const license = await setLicenseLabels(ctx, { licenseId, change });
    return changeResult("Customer and tags are set.", { license_id: license.id, ...presentLabels(license) });
  },
});
