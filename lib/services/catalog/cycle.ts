import { findPricedCycle, type PricedCycle } from "#lib/db/catalog/price.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** @throws DomainError `not_found` */
export async function getPricedCycle(ctx: ServiceContext, cycleId: number): Promise<PricedCycle> {
  requireAdmin(ctx, "admin:read");
  const cycle = await findPricedCycle(ctx.db, cycleId);
  if (!cycle) throw new DomainError("not_found", "There is no such cycle.");
  return cycle;
}

/** The subject of a cycle's audit entries. */
export function subjectOf({ productId, bundleId, ownerName, name }: PricedCycle) {
  const subject = productId === null ? `bundle:${bundleId}` : `product:${productId}`;
  return { subject, label: `${ownerName}, ${name}` };
}
