"use server";
import { z } from "zod";
import { seenVersion } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { decideTopUp } from "#lib/services/wallet/decide-top-up.ts";
import { setCurrencyPaymentSettings } from "#lib/services/wallet/payment-settings.ts";

export const decide = defineAction({
  name: "top-ups.decide",
  input: z.strictObject({
    request_id: parameter.integer,
    decision: z.enum(["approve", "decline"]),
    /** Of an approval. */
    amount: z.string().optional(),
    meant_amount: z.string(),
    note: parameter.notes,
  }),
  // Not after a refusal: the row would go, and with it the words that say why. The dialog refreshes when it closes.
  revalidateOnSuccess: ["/"],
  asksProof: true,
  run: async (ctx, decision) => {
    const decided = await decideTopUp(ctx, decision);
    return { amount: (decided.creditedAmount ?? decided.amount).toString(), currency: decided.currency };
  },
});

export const setSettings = defineAction({
  name: "top-ups.setSettings",
  bound: z.strictObject({ currency: z.string(), seenVersion }),
  input: z.strictObject({ confirm_above: z.string(), instructions: z.string(), issuer: z.string() }),
  revalidate: ["/top-ups", "/wallet"],
  asksProof: true,
  run: (ctx, settings, { currency }) => setCurrencyPaymentSettings(ctx, { ...settings, currency }),
});
