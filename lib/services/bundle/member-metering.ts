import { findCyclePrice } from "#lib/db/catalog/cycle-price.ts";
import type { LicenseRow } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { CoreMetering } from "#lib/domain/pricing.ts";
import type { ServiceContext } from "#lib/services/context.ts";

export interface MemberMetering extends CoreMetering {
  /** The license's key. */
  readonly key: string;
}

/** Cores beyond the first renew at the product's price for as many months (contract 3.10). */
export async function findMetering(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { key, productId, productName, cores }: LicenseRow,
  months: number,
): Promise<MemberMetering> {
  if (cores === null || cores === 1) return { key, cores, pricePerCore: null };
  const cycle = await findCyclePrice(ctx.db, resellerId, { productId }, { months });
  if (!cycle) throw new DomainError("cycle_not_found", `${productName} has no price for ${months} months.`);
  return { key, cores, pricePerCore: cycle.pricePerCore };
}
