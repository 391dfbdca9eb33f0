import { findPricedCycle, type PricedCycle } from "#lib/db/catalog/price.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getResellerCurrency } from "#lib/services/wallet/amount.ts";
import { requireCurrency } from "./fields.ts";

/** @throws DomainError `not_found` */
export async function getPricedCycle(ctx: ServiceContext, cycleId: number): Promise<PricedCycle> {
  requireAdmin(ctx, "admin:read");
  const cycle = await findPricedCycle(ctx.db, cycleId);
  if (!cycle) throw new DomainError("not_found", "There is no such cycle.");
  return cycle;
}

/** Of a price; `resellerId` null: the list price. */
export interface PriceInput {
  readonly cycleId: number;
  readonly currency: string;
  readonly resellerId: ResellerId | null;
}

/** @throws DomainError `parameters_invalid`, such as for a reseller's own price in another currency, `not_found` */
export async function getPricePlace(ctx: ServiceContext, { cycleId, currency, resellerId }: PriceInput) {
  requireAdmin(ctx, "admin:read");
  const place = { cycleId, currency: requireCurrency(currency), resellerId };
  if (resellerId !== null && currency !== (await getResellerCurrency(ctx, resellerId))) {
    throw malformed("currency", "must be the reseller's currency");
  }
  return { cycle: await getPricedCycle(ctx, cycleId), place };
}

/** The subject of a cycle's audit entries. */
export function subjectOf({ productId, bundleId, ownerName, name }: PricedCycle) {
  const subject = productId === null ? `bundle:${bundleId}` : `product:${productId}`;
  return { subject, label: `${ownerName}, ${name}` };
}
