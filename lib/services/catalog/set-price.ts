import { findCyclePrice } from "#lib/db/catalog/cycle-price.ts";
import { type PricedCycle, writePrice } from "#lib/db/catalog/price.ts";
import { computeMarkup, findTermProblem, formatMarkup, type PriceText } from "#lib/domain/catalog.ts";
import { invalidParameters, malformed } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import { type Currency, formatMoney } from "#lib/domain/money.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile } from "#lib/services/operation/seen-version.ts";
import { requireLive } from "#lib/services/sandbox/open.ts";
import { getPricePlace, type PriceInput, subjectOf } from "./cycle.ts";
import { requirePrices } from "./fields.ts";
import { getCatalogBundle } from "./get-bundle.ts";

/**
 * Sets a cycle's list price, or a reseller's own, which takes precedence over it (contract 3.8), for future holds. Money:
 * decimal text in major units.
 * @throws DomainError `parameters_invalid`, `not_found`, `changed_meanwhile`, `state_invalid` for a sandbox.
 */
export async function setPrice(
  ctx: ServiceContext,
  input: PriceText & PriceInput & { /** Default: no. */ readonly allowBelowCost?: boolean },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const { resellerId, allowBelowCost = false } = input;
  if (resellerId !== null) await requireLive(ctx.db, resellerId);
  const { cycle, place } = await getPricePlace(ctx, input);
  const { currency } = place;
  const prices = requirePrices(input, currency, cycle.coreMetered);
  if (!allowBelowCost) requireAboveCost(cycle, currency, prices);
  await requireMeteredMembers(ctx, cycle, currency, resellerId);
  const { seenVersion = null } = ctx;
  if (await writePrice(writesOf(ctx), place, prices, subjectOf(cycle), seenVersion, changedBy(ctx))) return;
  throw changedMeanwhile("This price");
}

/** Names the cell, the percentage and the cost, as the provider charged it at the last import. */
function requireAboveCost({ name, cost }: PricedCycle, currency: Currency, prices: CyclePrices): void {
  if (cost?.currency !== currency) return;
  const fields = [
    { field: "price", price: prices.price, least: cost.price },
    { field: "setup_fee", price: prices.setupFee, least: cost.setupFee },
    { field: "price_per_core", price: prices.pricePerCore ?? 0n, least: cost.pricePerCore ?? 0n },
  ];
  const problems = fields.flatMap(({ field, price, least }) => {
    if (price >= least) return [];
    const percent = formatMarkup(-(computeMarkup(price, least) ?? 0n)).replace("+", "");
    const message = `${name} in ${currency}: ${formatMoney(price, currency)} is ${percent} below the cost of ${formatMoney(least, currency)}.`;
    return [{ field, kind: "malformed", message } as const];
  });
  if (problems.length > 0) throw invalidParameters(problems);
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
    if (problem !== null) throw malformed("price", `cannot be set: ${problem}`);
  }
}
