import { deletePrice, listResellerPriceRows, type PricedCycle } from "#lib/db/catalog/price.ts";
import { listPriceReach } from "#lib/db/catalog/price-reach.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile } from "#lib/services/operation/seen-version.ts";
import { getPricePlace, type PriceInput, subjectOf } from "./cycle.ts";
import { conflictWith } from "./fields.ts";
import { getCatalogBundle } from "./get-bundle.ts";
import { getCatalogProduct } from "./get-product.ts";

/**
 * Removes a list price, which ends the sale of a cycle in its currency unless something renews at it, or a reseller's own:
 * it pays the list price.
 * @throws DomainError `parameters_invalid`, `not_found`, `state_invalid` (something renews at it), `changed_meanwhile`.
 */
export async function removePrice(ctx: ServiceContext, input: PriceInput): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const { cycle, place } = await getPricePlace(ctx, input);
  if (place.resellerId === null) await requireUnusedListPrice(ctx, cycle, place.currency);
  else await requireReplaceable(ctx, cycle, place.resellerId);
  const { seenVersion = null } = ctx;
  if (await deletePrice(writesOf(ctx), place, subjectOf(cycle), seenVersion, changedBy(ctx))) return;
  if (seenVersion !== null) throw changedMeanwhile("This price");
  throw new DomainError("not_found", "This price no longer exists.");
}

async function requireUnusedListPrice(ctx: ServiceContext, cycle: PricedCycle, currency: Currency): Promise<void> {
  const reach = await listPriceReach(ctx.db, [cycle.id], ctx.now());
  const renewable = reach.find((row) => row.currency === currency)?.renewable ?? 0;
  if (renewable > 0) {
    throw conflictWith(
      `${renewable === 1 ? "One renews" : `${renewable} renew`} at this price: retire the cycle instead.`,
    );
  }
  if (cycle.coreMetered) await requireNoBundle(ctx, cycle, currency);
}

async function requireReplaceable(ctx: ServiceContext, { id }: PricedCycle, resellerId: ResellerId): Promise<void> {
  const rows = await listResellerPriceRows(ctx.db, resellerId, ctx.now());
  const row = rows.find(({ cycleId }) => cycleId === id);
  if (row && row.live > 0 && row.list === null) {
    throw conflictWith(
      "It has licenses or bundles that renew at this price, and there is no list price to renew them at.",
    );
  }
}

/** Additional cores of a bundle's member renew at this price. */
async function requireNoBundle(ctx: ServiceContext, { productId, months }: PricedCycle, currency: Currency) {
  const { bundles } = await getCatalogProduct(ctx, { productId: productId ?? 0 });
  for (const { id } of bundles.filter((bundle) => !bundle.retired)) {
    const { name, cycles } = await getCatalogBundle(ctx, { bundleId: id });
    const sold = cycles.find((cycle) => cycle.months === months && !cycle.retired);
    if (sold?.prices.some((price) => price.currency === currency)) {
      throw conflictWith(`The bundle ${name} is sold in ${currency} for as many months, and its cores renew at it.`);
    }
  }
}
