import { z } from "zod";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { describeCaller, meAnswer } from "#lib/http/me.ts";

const OK = 200;

/** GET /me: the calling key (contract 1.17). */
export const meGet = defineEndpoint({
  name: "me.get",
  method: "GET",
  scope: null,
  parameters: z.object({}),
  responses: { [OK]: meAnswer },
  handle: async (ctx) => ({ status: OK, body: await describeCaller(ctx) }),
});
