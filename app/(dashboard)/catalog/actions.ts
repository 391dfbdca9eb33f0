"use server";
import { z } from "zod";
import { id, priceGrid, prices, seenVersion } from "#app/(dashboard)/fields.ts";
import { bundleHref, productHref } from "#components/catalog/catalog.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { createBundle } from "#lib/services/catalog/create-bundle.ts";
import { createCycle } from "#lib/services/catalog/create-cycle.ts";
import { createProduct } from "#lib/services/catalog/create-product.ts";
import { savePrices as saveGrid } from "#lib/services/catalog/save-prices.ts";
import { setBundleRetired } from "#lib/services/catalog/set-bundle-retired.ts";
import { setCycleRetired } from "#lib/services/catalog/set-cycle-retired.ts";
import { setProductRetired } from "#lib/services/catalog/set-product-retired.ts";
import { updateBundle } from "#lib/services/catalog/update-bundle.ts";
import { updateCycle } from "#lib/services/catalog/update-cycle.ts";
import { updateProduct } from "#lib/services/catalog/update-product.ts";

const MAX_MEMBERS = 20;

/** Also where resellers see it; after a refusal as well: another admin may have been first. */
const revalidate = ["/catalog"];
const seen = z.strictObject({ id: id(), seenVersion });
const retirement = z.strictObject({ id: parameter.integer, retired: z.boolean() });

const wholeNumber = z
  .string()
  .trim()
  .regex(/^\d{1,6}$/, "must be a whole number")
  .transform(Number);

const product = z
  .strictObject({
    type: z.string().trim(),
    name: z.string().trim(),
    description: z.string().trim(),
    provider: z.string(),
    provider_sku: z.string().trim(),
    core_metered: z.boolean(),
    workers: wholeNumber,
  })
  .transform(({ type, ...fields }) => ({ ...fields, slug: type }));

export const addProduct = defineAction({
  name: "catalog.addProduct",
  input: product,
  revalidate,
  run: async (ctx, product) => ({ href: productHref((await createProduct(ctx, product)).productId) }),
});

export const editProduct = defineAction({
  name: "catalog.editProduct",
  bound: seen,
  input: product,
  revalidate,
  run: async (ctx, product, { id }) => {
    await updateProduct(ctx, { ...product, productId: id });
    return { href: productHref(id) };
  },
});

export const retireProduct = defineAction({
  name: "catalog.retireProduct",
  input: retirement,
  revalidate,
  run: (ctx, { id, retired }) => setProductRetired(ctx, { productId: id, retired }),
});

const bundle = z
  .strictObject({
    name: z.string().trim(),
    description: z.string().trim(),
    members: z.array(parameter.integer).max(MAX_MEMBERS).readonly(),
  })
  .transform(({ members, ...fields }) => ({ ...fields, productIds: members }));

export const addBundle = defineAction({
  name: "catalog.addBundle",
  input: bundle,
  revalidate,
  run: async (ctx, bundle) => ({ href: bundleHref((await createBundle(ctx, bundle)).bundleId) }),
});

export const editBundle = defineAction({
  name: "catalog.editBundle",
  bound: seen,
  input: bundle,
  revalidate,
  run: async (ctx, bundle, { id }) => {
    await updateBundle(ctx, { ...bundle, bundleId: id });
    return { href: bundleHref(id) };
  },
});

export const retireBundle = defineAction({
  name: "catalog.retireBundle",
  input: retirement,
  revalidate,
  run: (ctx, { id, retired }) => setBundleRetired(ctx, { bundleId: id, retired }),
});

/** As the provider calls a cycle; empty: by its months. */
const providerCycle = z
  .string()
  .trim()
  .transform((text) => text || null);

export const addCycle = defineAction({
  name: "catalog.addCycle",
  input: z
    .strictObject({
      product_id: parameter.integer.optional(),
      bundle_id: parameter.integer.optional(),
      name: z.string().trim(),
      months: wholeNumber,
      provider_cycle: providerCycle,
      currency: z.string(),
      ...prices,
    })
    .refine(({ product_id, bundle_id }) => (product_id === undefined) !== (bundle_id === undefined), {
      message: "belongs to a product or a bundle",
    }),
  revalidate,
  run: async (ctx, { productId, bundleId = 0, ...cycle }) => {
    await createCycle(ctx, { ...cycle, owner: productId === undefined ? { bundleId } : { productId } });
  },
});

export const editCycle = defineAction({
  name: "catalog.editCycle",
  input: z.strictObject({
    cycle_id: parameter.integer,
    name: z.string().trim(),
    provider_cycle: providerCycle,
    seenVersion,
  }),
  revalidate,
  run: updateCycle,
});

export const retireCycle = defineAction({
  name: "catalog.retireCycle",
  input: retirement,
  revalidate,
  run: (ctx, { id, retired }) => setCycleRetired(ctx, { cycleId: id, retired }),
});

export const savePrices = defineAction({
  name: "catalog.savePrices",
  input: priceGrid,
  revalidate,
  run: (ctx, grid) => saveGrid(ctx, { ...grid, resellerId: null }),
});
