"use server";
import { z } from "zod";
import { agreedPrice, askIfMeant, chosen, chosenCycle, meantAddress, serverAddress } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";

export const register = defineAction({
  name: "bundles.new.register",
  input: z
    .strictObject({
      bundle_id: chosen("Choose a bundle."),
      cycle_id: chosenCycle,
      ip_address: serverAddress,
      auto_renew: z.boolean(),
      meant_address: meantAddress,
      agreed_price: agreedPrice,
    })
    .check(askIfMeant("ip_address")),
  revalidate: ["/bundles", "/licenses"],
  run: async (ctx, order) => {
    const { instance, pending, balanceAfter, operation } = await registerBundle(ctx, order);
    const { currency } = operation;
    return { bundleInstanceId: instance.id, pending, balanceAfter: balanceAfter.toString(), currency };
  },
});
