import { z } from "zod";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { findLicenseId } from "#lib/services/license/get.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { done, ok, pendingResult } from "./present.ts";

/** POST /license/terminate: irreversible, so its scope is its own (contract 1.14). */
export const licenseTerminate = defineEndpoint({
  name: "licenses.terminate",
  method: "POST",
  scope: "licenses:terminate",
  parameters: z.object({ license_key: parameter.licenseKey }),
  responses: { 200: done, 202: done },
  async handle(ctx, selector) {
    const licenseId = await findLicenseId(ctx, selector);
    const { providerStatus, operationId } = await terminateLicense(ctx, { licenseId });
    if (providerStatus === "pending") return pendingResult("termination", operationId, {});
    return ok({ success: true, message: "The license was terminated." });
  },
});

/** POST /license/auto-renew: `expected_price` becomes the agreed price of automatic renewals (contract 3.4). */
export const licenseSetAutoRenew = defineEndpoint({
  name: "licenses.set_auto_renew",
  method: "POST",
  scope: "licenses:write",
  parameters: (currency) =>
    z.object({
      license_key: parameter.licenseKey,
      auto_renew: parameter.flag,
      expected_price: parameter.price(currency).optional(),
    }),
  responses: { 200: done },
  async handle(ctx, { licenseKey, autoRenew: on, expectedPrice: agreedPrice }) {
    const licenseId = await findLicenseId(ctx, { licenseKey });
    const { autoRenew } = await setLicenseAutoRenew(ctx, { licenseId, on, agreedPrice });
    return ok({ success: true, message: `Auto-renew is ${autoRenew ? "on" : "off"}.` });
  },
});
