"use server";
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
import { partsOf, runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
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

/** What an admin's form has seen of what it changes, bound by the page. */
interface Seen {
  readonly id: number;
  readonly seenVersion: string;
}

export async function addProduct(input: ProductInput, idempotencyKey: string): Promise<ActionResult<Created>> {
  return change("catalog.addProduct", productSchema, { input, idempotencyKey }, async (ctx, product) => {
    const { productId } = await createProduct(ctx, product);
    return { href: productHref(productId) };
  });
}

export async function editProduct(
  seen: Seen,
  input: ProductInput,
  idempotencyKey: string,
): Promise<ActionResult<Created>> {
  const { id: productId, seenVersion } = partsOf(seen);
  return change(
    "catalog.editProduct",
    productSchema,
    { about: productId, input, idempotencyKey, seenVersion },
    async (ctx, product) => {
      await updateProduct(ctx, { ...product, productId });
      return { href: productHref(productId) };
    },
  );
}

export async function retireProduct(input: RetireInput, idempotencyKey: string): Promise<ActionResult<Done>> {
  return change("catalog.retireProduct", idSchema, { input, idempotencyKey }, (ctx, { id, retired }) =>
    done(setProductRetired(ctx, { productId: id, retired })),
  );
}

export async function addBundle(input: BundleInput, idempotencyKey: string): Promise<ActionResult<Created>> {
  return change("catalog.addBundle", bundleSchema, { input, idempotencyKey }, async (ctx, bundle) => {
    const { bundleId } = await createBundle(ctx, bundle);
    return { href: bundleHref(bundleId) };
  });
}

export async function editBundle(
  seen: Seen,
  input: BundleInput,
  idempotencyKey: string,
): Promise<ActionResult<Created>> {
  const { id: bundleId, seenVersion } = partsOf(seen);
  return change(
    "catalog.editBundle",
    bundleSchema,
    { about: bundleId, input, idempotencyKey, seenVersion },
    async (ctx, bundle) => {
      await updateBundle(ctx, { ...bundle, bundleId });
      return { href: bundleHref(bundleId) };
    },
  );
}

export async function retireBundle(input: RetireInput, idempotencyKey: string): Promise<ActionResult<Done>> {
  return change("catalog.retireBundle", idSchema, { input, idempotencyKey }, (ctx, { id, retired }) =>
    done(setBundleRetired(ctx, { bundleId: id, retired })),
  );
}

export async function addCycle(input: NewCycleInput, idempotencyKey: string): Promise<ActionResult<Done>> {
  return change("catalog.addCycle", newCycleSchema, { input, idempotencyKey }, (ctx, cycle) =>
    done(createCycle(ctx, cycle)),
  );
}

export async function editCycle(input: CycleNamesInput, idempotencyKey: string): Promise<ActionResult<Done>> {
  const { seenVersion } = partsOf(input);
  return change("catalog.editCycle", cycleNamesSchema, { input, idempotencyKey, seenVersion }, (ctx, names) =>
    done(updateCycle(ctx, names)),
  );
}

export async function retireCycle(input: RetireInput, idempotencyKey: string): Promise<ActionResult<Done>> {
  return change("catalog.retireCycle", idSchema, { input, idempotencyKey }, (ctx, { id, retired }) =>
    done(setCycleRetired(ctx, { cycleId: id, retired })),
  );
}

export async function setPrice(input: PriceInput, idempotencyKey: string): Promise<ActionResult<Done>> {
  const { seenVersion } = partsOf(input);
  return change("catalog.setPrice", priceSchema, { input, idempotencyKey, seenVersion }, (ctx, price) =>
    done(setListPrice(ctx, price)),
  );
}

export async function removePrice(input: PriceRef, idempotencyKey: string): Promise<ActionResult<Done>> {
  const { seenVersion } = partsOf(input);
  return change(
    "catalog.removePrice",
    priceRefSchema,
    { input, idempotencyKey, seenVersion },
    (ctx, { cycle_id, currency }) => done(removeListPrice(ctx, { cycleId: cycle_id, currency })),
  );
}

async function done(work: Promise<unknown>): Promise<Done> {
  await work;
  return { done: true };
}

/** What was changed is shown anew, also where resellers see it; after a refusal as well: somebody else may have been first. */
async function change<Schema extends z.ZodType, Value>(
  name: string,
  schema: Schema,
  sent: {
    readonly about?: number;
    readonly input: unknown;
    readonly idempotencyKey: string;
    readonly seenVersion?: string;
  },
  run: (ctx: ServiceContext, input: z.output<Schema>) => Promise<Value>,
): Promise<ActionResult<Value>> {
  return shownAnew(await runAction({ name, schema, ...sent, run }), "/catalog");
}
