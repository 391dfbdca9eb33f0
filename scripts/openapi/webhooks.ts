import type { ZodOpenApiPathsObject } from "zod-openapi";
import { webhookBodies } from "#lib/http/event-answers.ts";
import { readEvents } from "./contract-words.ts";
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
