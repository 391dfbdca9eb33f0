import { batchPerDatabase } from "#lib/db/connection/batch.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { columnsOf } from "#lib/db/connection/collected-rows.ts";
import { as, bigint, boolean, int, json, jsonBigint, list, nullable, text } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import { providerOf } from "#lib/db/provider/test-mode.ts";
import type { BundleId, CycleId, ProductId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { priceOf } from "./cycle-price.ts";

const cycleOffer = json({
  cycleId: as<CycleId>(int),
  name: text,
  months: int,
  price: jsonBigint,
  setupFee: jsonBigint,
  pricePerCore: nullable(jsonBigint),
});

const productOffer = {
  productId: as<ProductId>(int),
  name: text,
  type: text,
  description: text,
  coreMetered: boolean,
  workers: int,
  currency: as<Currency>(text),
  cycles: list(cycleOffer),
};

const bundleOffer = {
  bundleId: as<BundleId>(int),
  name: text,
  description: text,
  currency: as<Currency>(text),
  products: list(
    json({
      productId: as<ProductId>(int),
      name: text,
      type: text,
      coreMetered: boolean,
      provider: text,
      providerSku: text,
    }),
  ),
  cycles: list(cycleOffer),
};

export type ProductOffer = RowOf<typeof productOffer>;
export type BundleOffer = RowOf<typeof bundleOffer>;
/** A cycle that one reseller can buy. Money in minor units of the reseller's currency. */
export type CycleOffer = Readonly<ProductOffer["cycles"][number]>;

const productPurchase = {
  productId: as<ProductId>(int),
  coreMetered: boolean,
  provider: text,
  providerSku: text,
  currency: as<Currency>(text),
  /** Whether any of its cycles has a price for this reseller. */
  sold: boolean,
  cycleId: nullable(as<CycleId>(int)),
  months: nullable(int),
  price: nullable(bigint),
  setupFee: nullable(bigint),
  pricePerCore: nullable(bigint),
  providerCycle: nullable(text),
};
/** A product and at most one of its cycles: everything that a purchase reads, in one round trip. */
export type ProductPurchase = RowOf<typeof productPurchase>;

const buildCycleJson = `
  jsonb_build_object('cycleId', c.id, 'name', c.name, 'months', c.months, 'price', price.price::text,
                     'setupFee', price.setup_fee::text, 'pricePerCore', price.price_per_core::text)`;

/** By id, without products that have no price in the reseller's currency. */
export const listProductOffers = defineList("list_product_offers", productOffer)<[resellerId: ResellerId]>`
      select p.id as "productId", p.name, p.slug as type, p.description, p.core_metered as "coreMetered", p.workers,
             r.currency, jsonb_agg(${buildCycleJson} order by c.months) as cycles
        from resellers r
        cross join products p
        join billing_cycles c on c.product_id = p.id and c.retired_at is null
        join ${priceOf("c.id")} price on true
       where r.id = $1 and p.retired_at is null
       group by p.id, r.currency order by p.id`;

/** By id, members in order (contract 3.9). */
export const listBundleOffers = defineList("list_bundle_offers", bundleOffer)<[resellerId: ResellerId]>`
      select b.id as "bundleId", b.name, b.description, r.currency,
             (select jsonb_agg(jsonb_build_object('productId', p.id, 'name', p.name, 'type', p.slug,
                       'coreMetered', p.core_metered, 'provider', ${providerOf}, 'providerSku', p.provider_sku)
                     order by m.position)
                from bundle_members m join products p on p.id = m.product_id where m.bundle_id = b.id) as products,
             jsonb_agg(${buildCycleJson} order by c.months) as cycles
        from resellers r
        cross join bundles b
        join billing_cycles c on c.bundle_id = b.id and c.retired_at is null
        join ${priceOf("c.id")} price on true
       where r.id = $1 and b.retired_at is null
       group by b.id, r.id order by b.id`;

const findProductPurchasesStatement = statement("find_product_purchase", { place: int, ...productPurchase })`
      select q.place::int as place, p.id as "productId", p.core_metered as "coreMetered", ${providerOf} as provider,
             p.provider_sku as "providerSku", r.currency, c.id as "cycleId", c.months, price.price,
             price.setup_fee as "setupFee", price.price_per_core as "pricePerCore", c.provider_cycle as "providerCycle",
             price.price is not null or exists (
               select from billing_cycles c join prices s on s.cycle_id = c.id
                where c.product_id = p.id and c.retired_at is null and s.currency = r.currency
                  and (s.reseller_id = coalesce(r.sandbox_of, r.id) or s.reseller_id is null)) as sold
        from unnest($1::int[], $2::int[], $3::int[]) with ordinality q (reseller_id, product_id, cycle_id, place)
        join resellers r on r.id = q.reseller_id
        join products p on p.id = q.product_id and p.retired_at is null
        left join billing_cycles c on c.id = q.cycle_id and c.product_id = p.id and c.retired_at is null
        left join ${priceOf("c.id")} price on true`;

interface WantedPurchase {
  readonly resellerId: ResellerId;
  readonly productId: number;
  readonly cycleId: number;
}

async function findPurchases(db: Database, wanted: readonly WantedPurchase[]): Promise<(ProductPurchase | null)[]> {
  const rows = await db.query(findProductPurchasesStatement, columnsOf(wanted, "resellerId", "productId", "cycleId"));
  const found = new Map(rows.map(({ place, ...purchase }) => [place, purchase]));
  return wanted.map((_, index) => found.get(index + 1) ?? null);
}

const findInBatch = batchPerDatabase(findPurchases);

/** Null: no such product on sale. `price` null: no such cycle, or not sold to this reseller. */
export async function findProductPurchase(
  db: Database,
  resellerId: ResellerId,
  productId: number,
  cycleId: number,
): Promise<ProductPurchase | null> {
  return findInBatch(db, { resellerId, productId, cycleId });
}
