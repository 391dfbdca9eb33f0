import { z } from "zod";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { describeCaller, meAnswer } from "#lib/http/me.ts";
import { ok } from "./present.ts";

/** GET /me: the calling key (contract 1.17). */
export const meGet = defineEndpoint({
  name: "me.get",
  method: "GET",
  scope: null,
  parameters: z.object({}),
  responses: { 200: meAnswer },
  handle: async (ctx) => ok(await describeCaller(ctx)),
});
