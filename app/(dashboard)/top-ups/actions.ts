"use server";
import { z } from "zod";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { decideTopUp } from "#lib/services/wallet/decide-top-up.ts";

export const decide = defineAction({
  name: "top-ups.decide",
  input: z.object({
    request_id: parameter.integer,
    decision: z.enum(["approve", "decline"]),
    note: parameter.notes,
  }),
  // Not after a refusal: the row would go, and with it the words that say why. The dialog refreshes when it closes.
  revalidateOnSuccess: ["/"],
  asksProof: true,
  run: async (ctx, { request_id, ...decision }) => {
    const { state, amount, currency } = await decideTopUp(ctx, { ...decision, requestId: request_id });
    return { state, amount: amount.toString(), currency };
  },
});
