"use server";
import { revalidatePath } from "next/cache";
import type { z } from "zod";
import type {
  BundleInput,
  Created,
  CycleNamesInput,
  Done,
  NewCycleInput,
  PriceInput,
  PriceRef,
  ProductInput,
  RetireInput,
} from "#components/catalog/catalog.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { createBundle } from "#lib/services/catalog/create-bundle.ts";
import { createCycle } from "#lib/services/catalog/create-cycle.ts";
import { createProduct } from "#lib/services/catalog/create-product.ts";
import { removeListPrice } from "#lib/services/catalog/remove-price.ts";
import { setBundleRetired } from "#lib/services/catalog/set-bundle-retired.ts";
import { setCycleRetired } from "#lib/services/catalog/set-cycle-retired.ts";
import { setListPrice } from "#lib/services/catalog/set-price.ts";
import { setProductRetired } from "#lib/services/catalog/set-product-retired.ts";
import { updateBundle } from "#lib/services/catalog/update-bundle.ts";
import { updateCycle } from "#lib/services/catalog/update-cycle.ts";
import { updateProduct } from "#lib/services/catalog/update-product.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import {
  bundleSchema,
  cycleNamesSchema,
  idSchema,
  newCycleSchema,
  priceRefSchema,
  priceSchema,
  productSchema,
} from "./action-schemas.ts";
import { bundleHref, productHref } from "./present.ts";

/*
 * Without idempotency keys, which belong to a reseller: each of these sets what is to be, and what is made has a name
 * of its own, so that sent twice it is refused and not made twice.
 */

export async function addProduct(input: ProductInput): Promise<ActionResult<Created>> {
  return change(productSchema, input, async (ctx, product) => {
    const { productId } = await createProduct(ctx, product);
    return { href: productHref(productId) };
  });
}

export async function editProduct(productId: number, input: ProductInput): Promise<ActionResult<Created>> {
  return change(productSchema, input, async (ctx, product) => {
    await updateProduct(ctx, { ...product, productId });
    return { href: productHref(productId) };
  });
}

export async function retireProduct(input: RetireInput): Promise<ActionResult<Done>> {
  return change(idSchema, input, (ctx, { id, retired }) => done(setProductRetired(ctx, { productId: id, retired })));
}

export async function addBundle(input: BundleInput): Promise<ActionResult<Created>> {
  return change(bundleSchema, input, async (ctx, bundle) => {
    const { bundleId } = await createBundle(ctx, bundle);
    return { href: bundleHref(bundleId) };
  });
}

export async function editBundle(bundleId: number, input: BundleInput): Promise<ActionResult<Created>> {
  return change(bundleSchema, input, async (ctx, bundle) => {
    await updateBundle(ctx, { ...bundle, bundleId });
    return { href: bundleHref(bundleId) };
  });
}

export async function retireBundle(input: RetireInput): Promise<ActionResult<Done>> {
  return change(idSchema, input, (ctx, { id, retired }) => done(setBundleRetired(ctx, { bundleId: id, retired })));
}

export async function addCycle(input: NewCycleInput): Promise<ActionResult<Done>> {
  return change(newCycleSchema, input, (ctx, cycle) => done(createCycle(ctx, cycle)));
}

export async function editCycle(input: CycleNamesInput): Promise<ActionResult<Done>> {
  return change(cycleNamesSchema, input, (ctx, names) => done(updateCycle(ctx, names)));
}

export async function retireCycle(input: RetireInput): Promise<ActionResult<Done>> {
  return change(idSchema, input, (ctx, { id, retired }) => done(setCycleRetired(ctx, { cycleId: id, retired })));
}

export async function setPrice(input: PriceInput): Promise<ActionResult<Done>> {
  return change(priceSchema, input, (ctx, price) => done(setListPrice(ctx, price)));
}

export async function removePrice(input: PriceRef): Promise<ActionResult<Done>> {
  return change(priceRefSchema, input, (ctx, { cycle_id, currency }) =>
    done(removeListPrice(ctx, { cycleId: cycle_id, currency })),
  );
}

async function done(work: Promise<unknown>): Promise<Done> {
  await work;
  return { done: true };
}

/** What was changed is shown anew, also where resellers see it. */
async function change<Schema extends z.ZodType, Value>(
  schema: Schema,
  input: unknown,
  run: (ctx: ServiceContext, input: z.output<Schema>) => Promise<Value>,
): Promise<ActionResult<Value>> {
  const result = await runAction({ schema, input, run });
  if (result.ok) revalidatePath("/catalog", "layout");
  return result;
}
