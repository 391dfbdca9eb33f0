import { z } from "zod";
import { DomainError, invalidParameters, isDomainError } from "#lib/domain/errors.ts";
import { hashRequest } from "#lib/domain/request-hash.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { renew } from "#lib/http/dispatch-api/license.ts";
import { changeResult, chargeAnswer, chargeFields, doneAnswers } from "#lib/http/dispatch-api/present.ts";
import { presentDispatchError } from "#lib/http/error-table.ts";
import { handleKeyedRequest } from "#lib/http/idempotency.ts";
import { parameter } from "#lib/http/parameters.ts";
import { JsonText } from "#lib/http/response.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { type RenewInput, renewLicense } from "#lib/services/license/renew.ts";
import { previewCharge } from "#lib/services/operation/preview-charge.ts";
import type { Tool } from "./tool.ts";

const NAME = "renew_license";

/** Names a license and the version of it that was quoted. */
const confirmationPattern = /^renew-(?<id>\d{1,10})-(?<version>\d{1,10})$/;
const confirmation = parameter.text(
  (text) => (confirmationPattern.test(text) ? text : null),
  `is not a confirmation: call ${NAME} without one to get it`,
);

export const renewTool: Tool = {
  name: NAME,
  title: "Renew a license",
  description:
    "Renews a license in two steps. Without confirmation it charges nothing and returns the price, the balance after it, and a confirmation. Show these to the user. Once the user agrees, call it again with that confirmation and the price as expected_price: this charges. Repeating the second call charges once.",
  about: {
    license_id: "The license's id.",
    cycle_id: "The id of another cycle of its product, from quote_renewal. Default: the current cycle.",
    expected_price: "The price that the user agreed to, from the first call.",
    confirmation: "From the first call.",
  },
  charges: true,
  endpoint: defineEndpoint({
    name: NAME,
    method: "POST",
    scope: "licenses:write",
    parameters: (currency) =>
      z.object({
        license_id: parameter.integer,
        cycle_id: parameter.integer.optional(),
        expected_price: parameter.price(currency).optional(),
        confirmation: confirmation.optional(),
      }),
    responses: doneAnswers({
      license_id: field.number,
      ...chargeAnswer,
      confirmation: field.text.optional(),
      new_expiry: field.time.optional(),
      status: z.literal("pending").optional(),
      operation_id: field.operationId.optional(),
    }),
    handle(ctx, { licenseId, cycleId, expectedPrice: agreedPrice, confirmation }) {
      const renewal = { licenseId, cycleId, agreedPrice };
      return confirmation === undefined ? quote(ctx, renewal) : confirm(ctx, renewal, confirmation);
    },
  }),
};

async function quote(ctx: ServiceContext, { licenseId, cycleId, agreedPrice }: RenewInput) {
  const preview = await previewCharge(ctx, (ctx) => renewLicense(ctx, { licenseId, cycleId, agreedPrice }));
  return changeResult("Nothing is charged yet: the renewal needs the user's confirmation.", {
    license_id: licenseId,
    ...chargeFields(preview),
    confirmation: `renew-${licenseId}-${preview.version}`,
  });
}

/**
 * Each quoted version is renewed once: within the life of idempotency keys a repetition returns the first outcome, and
 * afterwards the license has another version. A rejected cycle keeps no other one from being confirmed.
 */
async function confirm(ctx: ServiceContext, renewal: RenewInput, confirmation: string) {
  const { id, version = "" } = confirmationPattern.exec(confirmation)?.groups ?? {};
  if (Number(id) !== renewal.licenseId) {
    throw invalidParameters([{ field: "confirmation", kind: "malformed", message: "is of another license" }]);
  }
  if (renewal.agreedPrice === undefined) {
    throw invalidParameters([{ field: "expected_price", kind: "missing", message: "is required with confirmation" }]);
  }
  const { status, body } = await handleKeyedRequest(
    { ...ctx, seenVersion: version },
    { key: `mcp:${confirmation}:${renewal.cycleId ?? ""}`, requestHash: hashRequest(`mcp ${NAME}`, renewal) },
    (ctx) => renew(ctx, renewal).catch(explainChange),
    presentDispatchError,
  );
  return { status, body: body instanceof JsonText ? JSON.parse(body.text) : body };
}

function explainChange(error: unknown): never {
  if (!isDomainError(error) || error.code !== "changed_meanwhile") throw error;
  const message = `This license has changed since the renewal was quoted. Call ${NAME} without confirmation again.`;
  throw new DomainError("changed_meanwhile", message);
}
