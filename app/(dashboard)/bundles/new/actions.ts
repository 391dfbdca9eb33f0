"use server";
import { z } from "zod";
import { agreedPrice, askIfMeant, chosen, chosenCycle, meantAddress, serverAddress } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";

export const register = defineAction({
  name: "bundles.new.register",
  input: z
    .object({
      bundle_id: chosen("Choose a bundle."),
      cycle_id: chosenCycle,
      ip_address: serverAddress,
      auto_renew: z.boolean(),
      meant_address: meantAddress,
      agreed_price: agreedPrice,
    })
    .check(askIfMeant("ip_address")),
  revalidate: ["/bundles", "/licenses"],
  run: async (ctx, { bundle_id, cycle_id, ip_address, auto_renew, agreed_price }) => {
    const registered = await registerBundle(ctx, {
      bundleId: bundle_id,
      cycleId: cycle_id,
      ipAddress: ip_address,
      autoRenew: auto_renew,
      agreedPrice: BigInt(agreed_price),
    });
    return {
      bundleInstanceId: registered.instance.id,
      pending: registered.pending,
      balanceAfter: registered.balanceAfter.toString(),
      currency: registered.operation.currency,
    };
  },
});
