"use server";
import { z } from "zod";
import { agreedPrice, askIfMeant, id, meantAddress, seenVersion } from "#app/(dashboard)/fields.ts";
import { toRenewed } from "#app/(dashboard)/renewed.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";

const seenBundle = z.object({ bundleInstanceId: id(), seenVersion });
const revalidate = ["/bundles", "/licenses"];

export const renew = defineAction({
  name: "bundles.renew",
  bound: seenBundle,
  input: z.object({ cycle_id: parameter.integer, agreed_price: agreedPrice }),
  revalidate,
  run: async (ctx, { cycle_id, agreed_price }, { bundleInstanceId }) =>
    toRenewed(await renewBundle(ctx, { bundleInstanceId, cycleId: cycle_id, agreedPrice: BigInt(agreed_price) })),
});

export const changeAddress = defineAction({
  name: "bundles.changeAddress",
  bound: seenBundle,
  input: z.object({ new_ip: parameter.licenseAddress, meant_address: meantAddress }).check(askIfMeant("new_ip")),
  revalidate,
  run: async (ctx, { new_ip }, { bundleInstanceId }) => {
    const changed = await changeBundleIp(ctx, { bundleInstanceId, newIp: new_ip });
    return { pending: changed.providerStatus === "pending" };
  },
});

export const setAutoRenew = defineAction({
  name: "bundles.setAutoRenew",
  bound: z.object({ bundleInstanceId: id() }),
  input: z.object({ on: z.boolean(), agreed_price: agreedPrice.nullable() }),
  revalidate,
  run: async (ctx, { on, agreed_price }, { bundleInstanceId }) => {
    const agreedPrice = agreed_price === null ? undefined : BigInt(agreed_price);
    const { autoRenew } = await setBundleAutoRenew(ctx, { bundleInstanceId, on, agreedPrice });
    return { on: autoRenew };
  },
});
