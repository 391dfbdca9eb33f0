import { presentMarkup, presentPrices } from "#app/(dashboard)/catalog/present.ts";
import type { ImportedCycleView, ImportPreview } from "#components/provider/import.ts";
import type { ImportedCycle } from "#lib/services/catalog/import-cycle.ts";
import type { ImportResult } from "#lib/services/catalog/import-from-provider.ts";

/** What an import would do, as the browser gets it. */
export function presentPlan({ products, skipped, missing, fingerprint }: ImportResult): ImportPreview {
  return {
    fingerprint,
    products: products.map(({ change, status, cycles }) => ({
      sku: change.providerSku,
      name: change.name,
      type: change.slug,
      status,
      cycles: cycles.map(presentCycle),
    })),
    skipped,
    missing,
  };
}

function presentCycle({
  cycle,
  status,
  currency,
  cost,
  before,
  belowCost,
  overridesBelowCost,
}: ImportedCycle): ImportedCycleView {
  return {
    name: cycle.name,
    months: cycle.months,
    status,
    currency,
    cost: presentPrices(cost),
    before: before && presentPrices(before),
    after: presentPrices(cycle.price),
    markup: presentMarkup(cycle.price.price, cost.price),
    belowCost,
    ownPricesBelowCost: overridesBelowCost.length,
  };
}
