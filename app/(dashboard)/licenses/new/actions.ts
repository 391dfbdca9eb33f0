"use server";
import { z } from "zod";
import { agreedPrice, askIfMeant, meantAddress, serverAddress } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { registerLicense } from "#lib/services/license/register.ts";

export const register = defineAction({
  name: "licenses.new.register",
  input: z
    .object({
      product_id: z
        .union([z.string(), z.number()])
        .refine((text) => text !== "", "Choose a product.")
        .pipe(parameter.integer),
      cycle_id: parameter.integer,
      ip_address: serverAddress,
      meant_address: meantAddress,
      notes: parameter.notes,
      agreed_price: agreedPrice,
    })
    .check(askIfMeant("ip_address")),
  revalidate: ["/licenses"],
  run: async (ctx, { product_id, cycle_id, ip_address, notes, agreed_price }) => {
    const registered = await registerLicense(ctx, {
      productId: product_id,
      cycleId: cycle_id,
      ipAddress: ip_address,
      notes,
      agreedPrice: BigInt(agreed_price),
    });
    return {
      licenseId: registered.licenseId,
      pending: registered.pending,
      ipAddress: ip_address,
      price: registered.operation.price.toString(),
      balanceAfter: registered.balanceAfter.toString(),
      currency: registered.operation.currency,
    };
  },
});
