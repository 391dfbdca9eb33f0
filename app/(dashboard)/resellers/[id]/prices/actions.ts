"use server";
import { z } from "zod";
import { id, prices, seenVersion, toPrice } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parameter } from "#lib/http/parameters.ts";
import { removeResellerPrice } from "#lib/services/catalog/remove-price.ts";
import { setResellerPrice } from "#lib/services/catalog/set-price.ts";

const bound = z.object({ resellerId: id<ResellerId>() });
const revalidate = ["/resellers"];

export const setOwnPrice = defineAction({
  name: "resellers.prices.setOwnPrice",
  bound,
  input: z.object({ cycle_id: parameter.integer, ...prices, seenVersion }),
  revalidate,
  run: async (ctx, { cycle_id, ...price }, { resellerId }) => {
    await setResellerPrice(ctx, { ...toPrice(price), cycleId: cycle_id, resellerId });
  },
});

export const removeOwnPrice = defineAction({
  name: "resellers.prices.removeOwnPrice",
  bound,
  input: z.object({ cycle_id: parameter.integer, seenVersion }),
  revalidate,
  run: async (ctx, { cycle_id }, { resellerId }) => {
    await removeResellerPrice(ctx, { cycleId: cycle_id, resellerId });
  },
});
