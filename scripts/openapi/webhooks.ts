import type { ZodOpenApiPathsObject } from "zod-openapi";
import { readEvents } from "./contract-words.ts";
import { webhookBodies } from "./event-bodies.ts";
import { JSON_TYPE, toOperationId } from "./interfaces.ts";

export function webhooks(): ZodOpenApiPathsObject {
  const words = readEvents();
  return Object.fromEntries(
    webhookBodies.map(({ kind, body }) => [
      kind,
      {
        post: {
          operationId: toOperationId(`on.${kind}`),
          tags: ["Events"],
          summary: kind,
          description: words.get(kind) ?? "",
          security: [],
          requestBody: { required: true, content: { [JSON_TYPE]: { schema: body } } },
          responses: {
            "2XX": { description: "Received." },
            "4XX": { description: "Sent again later; 410 disables the endpoint." },
          },
        },
      },
    ]),
  );
}
