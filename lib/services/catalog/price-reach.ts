import {
  listPriceReach,
  listRenewalsAtPrice,
  type PriceReach,
  type RenewalAtPrice,
} from "#lib/db/catalog/price-reach.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export type { PriceReach, RenewalAtPrice } from "#lib/db/catalog/price-reach.ts";

const RENEWALS_SHOWN = 5;

/** The licenses and bundles that renew at these list prices, by cycle and currency, and the next automatic renewals. */
export async function getPriceReach(
  ctx: ServiceContext,
  { cycleIds }: { readonly cycleIds: readonly number[] },
): Promise<{ readonly reach: readonly PriceReach[]; readonly next: readonly RenewalAtPrice[] }> {
  requireAdmin(ctx, "admin:read");
  const now = ctx.now();
  const [reach, next] = await Promise.all([
    listPriceReach(ctx.db, cycleIds, now),
    listRenewalsAtPrice(ctx.db, cycleIds, now, RENEWALS_SHOWN),
  ]);
  return { reach, next };
}
