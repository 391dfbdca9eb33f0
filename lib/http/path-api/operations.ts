import { z } from "zod";
import { formatLicenseId, type LicenseId, NIL_UUID, type OperationId, parseOperationId } from "#lib/domain/ids.ts";
import { field, operationAnswer } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { presentOperation } from "#lib/http/present-operation.ts";
import { getOperation } from "#lib/services/operation/get.ts";
import { ok } from "./present.ts";

/** GET /operations/{id} (contract 3.11), with license ids in this interface's form. */
export const operationGet = defineEndpoint({
  name: "operations.get",
  method: "GET",
  scope: "licenses:read",
  orScope: "bundles:read",
  parameters: z.object({ id: parameter.inPath(parseOperationId, NIL_UUID as OperationId) }),
  responses: { 200: operationAnswer(field.licenseId) },
  async handle(ctx, { id }) {
    const operation = presentOperation(await getOperation(ctx, { operationId: id }));
    const license_id = operation.license_id === null ? null : formatLicenseId(operation.license_id as LicenseId);
    return ok({ ...operation, license_id });
  },
});
