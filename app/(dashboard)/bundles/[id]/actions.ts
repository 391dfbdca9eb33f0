"use server";
import { z } from "zod";
import { agreedPrice, askIfMeant, id, meantAddress, seenVersion } from "#app/(dashboard)/fields.ts";
import { toRenewed } from "#app/(dashboard)/renewed.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";

const seenBundle = z.strictObject({ bundleInstanceId: id(), seenVersion });
const revalidate = ["/bundles", "/licenses"];

export const renew = defineAction({
  name: "bundles.renew",
  bound: seenBundle,
  input: z.strictObject({ cycle_id: parameter.integer, agreed_price: agreedPrice }),
  revalidate,
  run: async (ctx, renewal, { bundleInstanceId }) =>
    toRenewed(await renewBundle(ctx, { ...renewal, bundleInstanceId })),
});

export const changeAddress = defineAction({
  name: "bundles.changeAddress",
  bound: seenBundle,
  input: z.strictObject({ new_ip: parameter.licenseAddress, meant_address: meantAddress }).check(askIfMeant("new_ip")),
  revalidate,
  run: async (ctx, { newIp }, { bundleInstanceId }) => {
    const { providerStatus } = await changeBundleIp(ctx, { bundleInstanceId, newIp });
    return { pending: providerStatus === "pending" };
  },
});

export const setAutoRenew = defineAction({
  name: "bundles.setAutoRenew",
  bound: z.strictObject({ bundleInstanceId: id() }),
  input: z.strictObject({ on: z.boolean(), agreed_price: agreedPrice.nullable() }),
  revalidate,
  run: async (ctx, { on, agreedPrice }, { bundleInstanceId }) => {
    const change = { bundleInstanceId, on, agreedPrice: agreedPrice ?? undefined };
    const { autoRenew } = await setBundleAutoRenew(ctx, change);
    return { on: autoRenew };
  },
});
