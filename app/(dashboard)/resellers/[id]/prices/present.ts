import { bundleHref, presentMarkup, presentPrices, productHref } from "#app/(dashboard)/catalog/present.ts";
import type { OwnPriceRow } from "#components/reseller/own-price.ts";
import type { ResellerPriceRow } from "#lib/services/catalog/list-reseller-prices.ts";

export function presentOwnPrice(row: ResellerPriceRow): OwnPriceRow {
  const { cycleId, ownerName, cycleName, kind, ownerId, coreMetered, retired, live, list, own, ownVersion, cost } = row;
  const paid = own ?? list;
  return {
    cycleId,
    what: ownerName,
    href: kind === "bundle" ? bundleHref(ownerId) : productHref(ownerId),
    cycle: cycleName,
    coreMetered,
    retired,
    live,
    ownVersion,
    list: list && presentPrices(list),
    own: own && presentPrices(own),
    cost: cost && presentPrices(cost),
    againstList: own && presentMarkup(own.price, list?.price ?? null),
    markup: paid && presentMarkup(paid.price, cost?.price ?? null),
    belowCost: paid !== null && cost !== null && paid.price < cost.price,
  };
}
