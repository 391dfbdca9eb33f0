import type {
  BundleListRow,
  CycleView,
  FromPrice,
  PricesView,
  ProductListRow,
  ReachView,
  RenewalView,
} from "#components/catalog/catalog.ts";
import type { MemberChoice } from "#components/catalog/member-picker.tsx";
import { monthsText } from "#components/catalog/months-text.ts";
import { noReach } from "#components/catalog/reach-text.ts";
import { computeMarkup, formatMarkup } from "#lib/domain/catalog.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import type { MemberProduct } from "#lib/services/catalog/get-bundle.ts";
import type { CatalogCycle } from "#lib/services/catalog/get-product.ts";
import type { CatalogBundleRow, CatalogProductRow } from "#lib/services/catalog/list-catalog.ts";
import type { PriceReach, RenewalAtPrice } from "#lib/services/catalog/price-reach.ts";

export const productHref = (id: number) => `/catalog/products/${id}`;
export const bundleHref = (id: number) => `/catalog/bundles/${id}`;

export function presentProductRow({ id, priceFrom, ...row }: CatalogProductRow): ProductListRow {
  return { ...row, id: String(id), href: productHref(id), type: row.slug, priceFrom: presentFrom(priceFrom) };
}

export function presentBundleRow({ id, priceFrom, ...row }: CatalogBundleRow): BundleListRow {
  return { ...row, id: String(id), href: bundleHref(id), priceFrom: presentFrom(priceFrom) };
}

function presentFrom([first, ...others]: CatalogProductRow["priceFrom"]): FromPrice | null {
  if (!first) return null;
  const { price, currency, months } = first;
  return { minor: price.toString(), currency, months, moreCurrencies: others.length };
}

/** Minor units as decimal text. */
export function presentPrices({ price, setupFee, pricePerCore }: CyclePrices): PricesView {
  return { price: price.toString(), setupFee: setupFee.toString(), pricePerCore: pricePerCore?.toString() ?? null };
}

export function presentCycle(cycle: CatalogCycle, reach: readonly PriceReach[]): CycleView {
  const { id, name, months, providerCycle, retiredAt, cost, prices, version } = cycle;
  return {
    cycleId: id,
    name,
    months,
    providerCycle,
    version,
    retired: retiredAt !== null,
    cost: cost && { ...presentPrices(cost), currency: cost.currency },
    prices: prices.map((price) => ({
      ...presentPrices(price),
      currency: price.currency,
      version: price.version,
      markup: presentMarkup(price.price, cost?.currency === price.currency ? cost.price : null),
      reach: presentReach(reach.find((row) => row.cycleId === id && row.currency === price.currency)),
    })),
  };
}

export function presentMarkup(price: bigint, cost: bigint | null): string | null {
  const markup = cost === null ? null : computeMarkup(price, cost);
  return markup === null ? null : formatMarkup(markup);
}

function presentReach(reach: PriceReach | undefined): ReachView {
  return reach ? { ...reach, nextRenewalAt: reach.nextRenewalAt?.toISOString() ?? null } : noReach;
}

export function presentRenewal(renewal: RenewalAtPrice, cycles: readonly CatalogCycle[]): RenewalView {
  const { kind, id, cycleId, resellerId, resellerName, expiresAt } = renewal;
  return {
    id: `${kind}:${id}:${cycleId}`,
    what: kind === "license" ? `lic_${id}` : `Bundle ${id}`,
    resellerName,
    resellerHref: `/resellers/${resellerId}`,
    cycle: cycles.find((cycle) => cycle.id === cycleId)?.name ?? "",
    endsAt: expiresAt.toISOString(),
  };
}

export function presentMember({ id, name, provider, cycles }: MemberProduct): MemberChoice {
  const months = cycles.map((cycle) => cycle.months).toSorted((one, other) => one - other);
  return { id, name, provider, cycles: months.length === 0 ? "no cycle on sale" : months.map(monthsText).join(", ") };
}
