import { z } from "zod";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { presentOperation } from "#lib/http/present-operation.ts";
import { getOperation } from "#lib/services/operation/get.ts";
import { dataAnswer } from "./present.ts";

/** Answer: contract 3.11. */
export const operationInfo = defineEndpoint({
  name: "operation.info",
  method: "GET",
  scope: "licenses:read",
  orScope: "bundles:read",
  parameters: z.object({ operation_id: parameter.operationId }),
  async answer(ctx, { operation_id }) {
    return dataAnswer(presentOperation(await getOperation(ctx, { operationId: operation_id })));
  },
});
