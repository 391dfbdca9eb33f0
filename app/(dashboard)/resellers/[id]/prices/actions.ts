"use server";
import { ownPriceSchema } from "#app/(dashboard)/catalog/action-schemas.ts";
import type { Done } from "#components/catalog/catalog.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import type { OwnPriceInput, OwnPriceRef } from "#components/reseller/own-price.ts";
import { partsOf, runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { removeResellerPrice } from "#lib/services/catalog/remove-price.ts";
import { setResellerPrice } from "#lib/services/catalog/set-price.ts";
import { refSchema } from "./action-schemas.ts";

const done: Done = { done: true };

/** The first parameter of both, bound by the page: whose price it is. */
export async function setOwnPrice(
  id: number,
  input: OwnPriceInput,
  idempotencyKey: string,
): Promise<ActionResult<Done>> {
  const resellerId = id as ResellerId;
  const result = await runAction({
    name: "resellers.prices.setOwnPrice",
    schema: ownPriceSchema,
    input,
    idempotencyKey,
    forReseller: resellerId,
    seenVersion: partsOf(input).seenVersion,
    run: async (ctx, price) => {
      await setResellerPrice(ctx, { ...price, resellerId });
      return done;
    },
  });
  return shownAnew(result, "/resellers");
}

export async function removeOwnPrice(
  id: number,
  input: OwnPriceRef,
  idempotencyKey: string,
): Promise<ActionResult<Done>> {
  const resellerId = id as ResellerId;
  const result = await runAction({
    name: "resellers.prices.removeOwnPrice",
    schema: refSchema,
    input,
    idempotencyKey,
    forReseller: resellerId,
    seenVersion: partsOf(input).seenVersion,
    run: async (ctx, { cycle_id }) => {
      await removeResellerPrice(ctx, { cycleId: cycle_id, resellerId });
      return done;
    },
  });
  return shownAnew(result, "/resellers");
}
