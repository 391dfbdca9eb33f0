"use server";
import { z } from "zod";
import {
  agreedPrice,
  askIfMeant,
  chosen,
  chosenCycle,
  meantAddress,
  serverAddresses,
} from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { MAX_CORES } from "#lib/domain/pricing.ts";
import { parameter } from "#lib/http/parameters.ts";
import { registerLicenseWithLabels } from "#lib/services/license/register-with-labels.ts";
import { startRegistrations } from "#lib/services/license/start-import.ts";

export const register = defineAction({
  name: "licenses.new.register",
  input: z
    .strictObject({
      product_id: chosen("Choose a product."),
      cycle_id: chosenCycle,
      ip_address: serverAddresses,
      cores: parameter.integerUpTo(MAX_CORES).optional(),
      auto_renew: z.boolean(),
      meant_address: meantAddress,
      notes: parameter.notes,
      customerName: parameter.customerName,
      customerEmail: parameter.customerEmail,
      customerReference: parameter.customerReference,
      tags: parameter.tags,
      agreed_price: agreedPrice,
    })
    .check(askIfMeant("ip_address")),
  revalidate: ["/licenses"],
  run: async (ctx, { ipAddress: ipAddresses, agreedPrice, cores = 1, ...input }) => {
    const [ipAddress, ...others] = ipAddresses;
    const { customerName, customerEmail, customerReference, tags, ...shared } = input;
    const order = { ...shared, labels: { customerName, customerEmail, customerReference, tags } };
    if (ipAddress === undefined || others.length > 0) {
      return startRegistrations(ctx, { ...order, ipAddresses, agreedTotal: agreedPrice });
    }
    const registered = await registerLicenseWithLabels(ctx, { ...order, ipAddress, cores, agreedPrice });
    return {
      licenseId: registered.licenseId,
      /** The provider has not confirmed it yet. */
      pending: registered.pending,
      /** Why it has one core, where more were asked for; null: it has all of them. */
      missingCores: registered.missingCores,
      /** Why it has neither customer nor tags, where any were given; null: it has them. */
      missingLabels: registered.missingLabels,
      ipAddress,
      price: registered.operation.price.toString(),
      balanceAfter: registered.balanceAfter.toString(),
      currency: registered.operation.currency,
    };
  },
});
