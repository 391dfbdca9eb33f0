import { findCyclePrice } from "#lib/db/catalog/offer.ts";
import { type PricedCycle, type PricePlace, writePrice } from "#lib/db/catalog/price.ts";
import type { PriceText } from "#lib/domain/catalog.ts";
import { findTermProblem } from "#lib/domain/catalog.ts";
import { invalidParameters } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import type { Currency } from "#lib/domain/money.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile } from "#lib/services/operation/seen-version.ts";
import { requireLive } from "#lib/services/sandbox/open.ts";
import { getResellerCurrency } from "#lib/services/wallet/amount.ts";
import { getPricedCycle, subjectOf } from "./cycle.ts";
import { requireCurrency, requirePrices } from "./fields.ts";
import { getCatalogBundle } from "./get-bundle.ts";

/**
 * Sets a cycle's price in one currency for future holds. Money: decimal text in major units.
 * @throws DomainError `parameters_invalid`, `not_found`, `changed_meanwhile`.
 */
export async function setListPrice(
  ctx: ServiceContext,
  input: PriceText & { readonly cycleId: number; readonly currency: string },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const currency = requireCurrency(input.currency);
  const cycle = await getPricedCycle(ctx, input.cycleId);
  const prices = requirePrices(input, currency, cycle.coreMetered);
  await requireMeteredMembers(ctx, cycle, currency, null);
  await write(ctx, cycle, { cycleId: cycle.id, currency, resellerId: null }, prices);
}

/**
 * Sets a reseller's own price of a cycle, in its currency; takes precedence over the list price (contract 3.8).
 * @throws DomainError `parameters_invalid`, `not_found`, `changed_meanwhile`, `state_invalid` for a sandbox.
 */
export async function setResellerPrice(
  ctx: ServiceContext,
  input: PriceText & { readonly cycleId: number; readonly resellerId: ResellerId },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const { resellerId } = input;
  await requireLive(ctx.db, resellerId);
  const currency = await getResellerCurrency(ctx, resellerId);
  const cycle = await getPricedCycle(ctx, input.cycleId);
  const prices = requirePrices(input, currency, cycle.coreMetered);
  await requireMeteredMembers(ctx, cycle, currency, resellerId);
  await write(ctx, cycle, { cycleId: cycle.id, currency, resellerId }, prices);
}

async function write(ctx: ServiceContext, cycle: PricedCycle, place: PricePlace, prices: CyclePrices): Promise<void> {
  const { seenVersion = null } = ctx;
  if (await writePrice(writesOf(ctx), place, prices, subjectOf(cycle), seenVersion, changedBy(ctx))) return;
  throw changedMeanwhile("This price");
}

/** A bundle's metered members renew their cores at their own prices, so they need one in that currency. */
async function requireMeteredMembers(
  ctx: ServiceContext,
  { bundleId, months }: PricedCycle,
  currency: Currency,
  resellerId: ResellerId | null,
): Promise<void> {
  if (bundleId === null) return;
  for (const member of (await getCatalogBundle(ctx, { bundleId })).members) {
    const own = resellerId && (await findCyclePrice(ctx.db, resellerId, { productId: member.id }, { months }));
    const problem = own ? null : findTermProblem([member], months, currency);
    if (problem !== null) {
      throw invalidParameters([{ field: "price", kind: "malformed", message: `cannot be set: ${problem}` }]);
    }
  }
}
