"use server";
import { z } from "zod";
import { id, priceGrid } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { savePrices } from "#lib/services/catalog/save-prices.ts";

export const saveOwnPrices = defineAction({
  name: "resellers.prices.saveOwnPrices",
  bound: z.strictObject({ resellerId: id<ResellerId>() }),
  input: priceGrid,
  revalidate: ["/resellers"],
  run: (ctx, grid, { resellerId }) => savePrices(ctx, { ...grid, resellerId }),
});
