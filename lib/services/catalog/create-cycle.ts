import { type CycleOwner, insertCycle } from "#lib/db/catalog/write.ts";
import { findTermProblem, type PriceText } from "#lib/domain/catalog.ts";
import { malformed } from "#lib/domain/errors.ts";
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
  /** The provider's name of the cycle; null for bundles, and if the provider has no cycles of its own. */
  readonly providerCycle: string | null;
  readonly currency: string;
}

/**
 * Adds a cycle to a product or bundle, with its first list price.
 * @throws DomainError `parameters_invalid`, `not_found`, `conflict` (same number of months).
 */
export async function createCycle(
  ctx: ServiceContext,
  input: CycleInput & { readonly owner: CycleOwner },
): Promise<{ readonly cycleId: number }> {
  requireAdmin(ctx, "catalog:write");
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

/** Returns whether the price is also per core: never for a bundle. */
async function allowsTerm(
  ctx: ServiceContext,
  owner: { readonly bundleId: number },
  months: number,
  currency: string,
): Promise<false> {
  const { members } = await getCatalogBundle(ctx, owner);
  const problem = findTermProblem(members, months, currency);
  if (problem !== null) throw malformed("months", `cannot be ${months}: ${problem}`);
  return false;
}
