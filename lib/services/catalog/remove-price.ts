import { deletePrice, listResellerPriceRows, type PricedCycle } from "#lib/db/catalog/price.ts";
import { listPriceReach } from "#lib/db/catalog/price-reach.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile } from "#lib/services/operation/seen-version.ts";
import { getResellerCurrency } from "#lib/services/wallet/amount.ts";
import { getPricedCycle, subjectOf } from "./cycle.ts";
import { conflictWith, requireCurrency } from "./fields.ts";
import { getCatalogBundle } from "./get-bundle.ts";
import { getCatalogProduct } from "./get-product.ts";

/**
 * Ends the sale of a cycle in one currency, unless something renews at this price.
 * @throws DomainError `parameters_invalid`, `not_found`, `state_invalid`, `changed_meanwhile`.
 */
export async function removeListPrice(
  ctx: ServiceContext,
  input: { readonly cycleId: number; readonly currency: string },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const currency = requireCurrency(input.currency);
  const cycle = await getPricedCycle(ctx, input.cycleId);
  const reach = await listPriceReach(ctx.db, [cycle.id], ctx.now());
  const renewable = reach.find((row) => row.currency === currency)?.renewable ?? 0;
  if (renewable > 0) {
    throw conflictWith(
      `${renewable === 1 ? "One renews" : `${renewable} renew`} at this price: retire the cycle instead.`,
    );
  }
  if (cycle.coreMetered) await requireNoBundle(ctx, cycle, currency);
  await remove(ctx, cycle, currency, null);
}

/**
 * Removes a reseller's own price: it pays the list price.
 * @throws DomainError `not_found`, `state_invalid` (something renews at it and there is no list price), `changed_meanwhile`.
 */
export async function removeResellerPrice(
  ctx: ServiceContext,
  input: { readonly cycleId: number; readonly resellerId: ResellerId },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const { cycleId, resellerId } = input;
  const currency = await getResellerCurrency(ctx, resellerId);
  const cycle = await getPricedCycle(ctx, cycleId);
  const rows = await listResellerPriceRows(ctx.db, resellerId, ctx.now());
  const row = rows.find((candidate) => candidate.cycleId === cycleId);
  if (row && row.live > 0 && row.list === null) {
    throw conflictWith(
      "It has licenses or bundles that renew at this price, and there is no list price to renew them at.",
    );
  }
  await remove(ctx, cycle, currency, resellerId);
}

async function remove(ctx: ServiceContext, cycle: PricedCycle, currency: Currency, resellerId: ResellerId | null) {
  const place = { cycleId: cycle.id, currency, resellerId };
  const { seenVersion = null } = ctx;
  if (await deletePrice(writesOf(ctx), place, subjectOf(cycle), seenVersion, changedBy(ctx))) return;
  if (seenVersion !== null) throw changedMeanwhile("This price");
  throw new DomainError("not_found", "This price no longer exists.");
}

/** Additional cores of a bundle's member renew at this price. */
async function requireNoBundle(ctx: ServiceContext, { productId, months }: PricedCycle, currency: Currency) {
  const { bundles } = await getCatalogProduct(ctx, { productId: productId ?? 0 });
  for (const { id, retiredAt } of bundles) {
    if (retiredAt !== null) continue;
    const { name, cycles } = await getCatalogBundle(ctx, { bundleId: id });
    const sold = cycles.find((cycle) => cycle.months === months && cycle.retiredAt === null);
    if (sold?.prices.some((price) => price.currency === currency)) {
      throw conflictWith(`The bundle ${name} is sold in ${currency} for as many months, and its cores renew at it.`);
    }
  }
}
