import type { ProductChoice } from "#components/license/registration.ts";
import type { ProductOffer } from "#lib/services/catalog/list-products.ts";

export function presentOffer({
  productId,
  name,
  description,
  coreMetered,
  cycles,
  currency,
}: ProductOffer): ProductChoice {
  return {
    productId,
    name,
    description,
    coreMetered,
    currency,
    cycles: cycles.map(({ price, setupFee, pricePerCore, ...cycle }) => ({
      cycleId: cycle.cycleId,
      name: cycle.name,
      months: cycle.months,
      price: price.toString(),
      setupFee: setupFee.toString(),
      pricePerCore: pricePerCore === null ? null : pricePerCore.toString(),
    })),
  };
}
