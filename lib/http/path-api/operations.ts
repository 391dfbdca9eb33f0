import { z } from "zod";
import { formatLicenseId, type LicenseId, parseOperationId } from "#lib/domain/ids.ts";
import { field, operationAnswer } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { presentOperation } from "#lib/http/present-operation.ts";
import { getOperation } from "#lib/services/operation/get.ts";

const OK = 200;

/** GET /operations/{id} (contract 3.11), with license ids in this interface's form. */
export const operationGet = defineEndpoint({
  name: "operations.get",
  method: "GET",
  scope: "licenses:read",
  orScope: "bundles:read",
  parameters: z.object({ id: parameter.inPath(parseOperationId) }),
  responses: { [OK]: operationAnswer(field.licenseId) },
  async handle(ctx, { id }) {
    const operation = presentOperation(await getOperation(ctx, { operationId: id }));
    const license_id = operation.license_id === null ? null : formatLicenseId(operation.license_id as LicenseId);
    return { status: OK, body: { ...operation, license_id } };
  },
});
