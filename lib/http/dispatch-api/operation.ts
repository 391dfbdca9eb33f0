import { z } from "zod";
import { field, operationAnswer } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { presentOperation } from "#lib/http/present-operation.ts";
import { getOperation } from "#lib/services/operation/get.ts";
import { dataAnswers, dataResult } from "./present.ts";

/** Response: contract 3.11. */
export const operationInfo = defineEndpoint({
  name: "operation.info",
  method: "GET",
  scope: "licenses:read",
  orScope: "bundles:read",
  parameters: z.object({ operation_id: parameter.operationId }),
  responses: dataAnswers(operationAnswer(field.number)),
  async handle(ctx, selector) {
    return dataResult(presentOperation(await getOperation(ctx, selector)));
  },
});
