import { z } from "zod";
import { parameter } from "#lib/http/parameters.ts";

const MAX_MEMBERS = 20;

const wholeNumber = z
  .string()
  .trim()
  .regex(/^\d{1,6}$/, "must be a whole number")
  .transform(Number);

export const idSchema = z.object({ id: parameter.integer, retired: z.boolean() });

/** What each field may hold is the service's to say; here, only that it is there. */
export const productSchema = z
  .object({
    type: z.string(),
    name: z.string(),
    description: z.string(),
    provider: z.string(),
    provider_sku: z.string(),
    core_metered: z.boolean(),
    workers: wholeNumber,
  })
  .transform(({ type, provider_sku, core_metered, ...fields }) => ({
    ...fields,
    slug: type,
    providerSku: provider_sku,
    coreMetered: core_metered,
  }));

export const bundleSchema = z
  .object({ name: z.string(), description: z.string(), members: z.array(parameter.integer).max(MAX_MEMBERS) })
  .transform(({ members, ...fields }) => ({ ...fields, productIds: members }));

const priceFields = { price: z.string(), setup_fee: z.string(), price_per_core: z.string() };

export const priceSchema = z
  .object({ cycle_id: parameter.integer, currency: z.string(), ...priceFields })
  .transform(toPrice);

export const priceRefSchema = z.object({ cycle_id: parameter.integer, currency: z.string() });

export const ownPriceSchema = z.object({ cycle_id: parameter.integer, ...priceFields }).transform(toPrice);

export const newCycleSchema = z
  .object({
    product_id: parameter.integer.optional(),
    bundle_id: parameter.integer.optional(),
    name: z.string().trim(),
    months: wholeNumber,
    provider_cycle: z.string().trim(),
    currency: z.string(),
    ...priceFields,
  })
  .refine(({ product_id, bundle_id }) => (product_id === undefined) !== (bundle_id === undefined), {
    message: "belongs to a product or a bundle",
  })
  .transform(({ product_id, bundle_id = 0, provider_cycle, name, months, ...price }) => ({
    owner: product_id === undefined ? { bundleId: bundle_id } : { productId: product_id },
    name,
    months,
    providerCycle: provider_cycle === "" ? null : provider_cycle,
    currency: price.currency,
    price: price.price,
    setupFee: price.setup_fee,
    pricePerCore: price.price_per_core,
  }));

export const cycleNamesSchema = z
  .object({ cycle_id: parameter.integer, name: z.string().trim(), provider_cycle: z.string().trim() })
  .transform(({ cycle_id, name, provider_cycle }) => ({
    cycleId: cycle_id,
    name,
    providerCycle: provider_cycle === "" ? null : provider_cycle,
  }));

function toPrice<Fields extends { cycle_id: number; price: string; setup_fee: string; price_per_core: string }>({
  cycle_id,
  setup_fee,
  price_per_core,
  ...fields
}: Fields) {
  return { ...fields, cycleId: cycle_id, setupFee: setup_fee, pricePerCore: price_per_core };
}
