import { listSelectedBundles, listSelectedLicenses } from "#lib/db/bulk/selection.ts";
import { listProductOffers } from "#lib/db/catalog/offer.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { registrationPrice, renewalPrice } from "#lib/domain/pricing.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { priceOfBundle } from "#lib/services/renewals/price.ts";
import type { BulkItem, ItemPrices } from "./kind.ts";

type Items = readonly BulkItem<unknown, unknown>[];

/** Prices renewals by the chosen cycle, or each license's own. */
export async function priceRenewals(
  ctx: ServiceContext,
  resellerId: ResellerId,
  items: readonly BulkItem<unknown, { readonly cycleId?: number | undefined }>[],
): Promise<ItemPrices> {
  const licenseIds = items.flatMap(({ licenseId }) => licenseId ?? []);
  const page = { now: ctx.now(), limit: items.length };
  const [selected, offers] = await Promise.all([
    listSelectedLicenses(ctx.db, resellerId, { licenseIds }, page),
    listProductOffers(ctx.db, resellerId),
  ]);
  const licenses = new Map(selected.map((license) => [license.id, license]));
  return new Map(
    items.map(({ id, licenseId, input: { cycleId } }) => {
      const license = licenseId && licenses.get(licenseId);
      if (!license || cycleId === undefined) return [id, license ? license.price : null];
      const cycle = offers.flatMap(({ cycles }) => cycles).find((one) => one.cycleId === cycleId);
      return [id, cycle ? renewalPrice({ ...cycle, cores: license.cores }) : null];
    }),
  );
}

/** Prices renewals by each bundle's cycle. */
export async function priceBundleRenewals(
  ctx: ServiceContext,
  resellerId: ResellerId,
  items: Items,
): Promise<ItemPrices> {
  const bundleInstanceIds = items.flatMap(({ bundleInstanceId }) => bundleInstanceId ?? []);
  const bundles = await listSelectedBundles(ctx.db, resellerId, { bundleInstanceIds }, items.length);
  const prices = new Map(
    bundles.map(({ id, basePrice, metering }) => [id, basePrice === null ? null : priceOfBundle(basePrice, metering)]),
  );
  return new Map(
    items.map(({ id, bundleInstanceId }) => [id, (bundleInstanceId && prices.get(bundleInstanceId)) ?? null]),
  );
}

export async function priceRegistrations(
  ctx: ServiceContext,
  resellerId: ResellerId,
  items: readonly BulkItem<unknown, { readonly productId: number; readonly cycleId: number }>[],
): Promise<ItemPrices> {
  const offers = await listProductOffers(ctx.db, resellerId);
  return new Map(
    items.map(({ id, input }) => {
      const product = offers.find(({ productId }) => productId === input.productId);
      const cycle = product?.cycles.find(({ cycleId }) => cycleId === input.cycleId);
      return [id, cycle === undefined ? null : registrationPrice(cycle)];
    }),
  );
}
