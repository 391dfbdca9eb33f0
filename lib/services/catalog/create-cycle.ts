import { type CycleOwner, insertCycle } from "#lib/db/catalog/write.ts";
import type { PriceText } from "#lib/domain/catalog.ts";
import { findTermProblem } from "#lib/domain/catalog.ts";
import { invalidParameters } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireCurrency, requireFields, requirePrices, taken } from "./fields.ts";
import { getCatalogBundle } from "./get-bundle.ts";
import { getCatalogProduct } from "./get-product.ts";

export type { CycleOwner } from "#lib/db/catalog/write.ts";

/** Money: decimal text in major units. */
export interface CycleInput extends PriceText {
  readonly name: string;
  readonly months: number;
  /** The provider's name of the cycle; null where it has none of its own, and for bundles. */
  readonly providerCycle: string | null;
  readonly currency: string;
}

/**
 * Adds a term that a product or a bundle is sold for, with its first list price: without one it could not be sold.
 * @throws DomainError `permission_denied`, `parameters_invalid`, `not_found`, `conflict` (there is one of as many months).
 */
export async function createCycle(
  ctx: ServiceContext,
  input: CycleInput & { readonly owner: CycleOwner },
): Promise<{ readonly cycleId: number }> {
  requireAdmin(ctx);
  const { owner, name, months, providerCycle } = input;
  requireFields({ name, months, providerCycle });
  const currency = requireCurrency(input.currency);
  const coreMetered =
    "productId" in owner
      ? (await getCatalogProduct(ctx, owner)).coreMetered
      : await allowsTerm(ctx, owner, months, currency);
  const price = { ...requirePrices(input, currency, coreMetered), currency };
  const made = await insertCycle(writesOf(ctx), owner, { name, months, providerCycle, price }, changedBy(ctx));
  if (typeof made === "string") throw taken(made);
  return { cycleId: made };
}

/** Whether the price is per core, too: never for a bundle. */
async function allowsTerm(
  ctx: ServiceContext,
  owner: { readonly bundleId: number },
  months: number,
  currency: string,
): Promise<false> {
  const { members } = await getCatalogBundle(ctx, owner);
  const problem = findTermProblem(members, months, currency);
  if (problem !== null) {
    throw invalidParameters([{ field: "months", kind: "malformed", message: `cannot be ${months}: ${problem}` }]);
  }
  return false;
}
