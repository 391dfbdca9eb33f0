import type { Database } from "#lib/db/connection/client.ts";
import type { BundleId, CycleId, ProductId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";

/** A cycle as one reseller can buy it. Money in minor units of the reseller's currency. */
export interface CycleOffer {
  readonly cycleId: CycleId;
  readonly name: string;
  readonly months: number;
  readonly price: bigint;
  readonly setupFee: bigint;
  readonly pricePerCore: bigint | null;
  /** The provider's name of the cycle, where it has cycles of its own. */
  readonly providerCycle: string | null;
}

export interface CyclePrice extends CycleOffer {
  readonly currency: Currency;
}

export interface ProductOffer {
  readonly productId: ProductId;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly coreMetered: boolean;
  readonly workers: number;
  readonly currency: Currency;
  readonly cycles: readonly CycleOffer[];
}

export interface BundleOffer {
  readonly bundleId: BundleId;
  readonly name: string;
  readonly description: string;
  readonly currency: Currency;
  readonly products: readonly BundleProduct[];
  readonly cycles: readonly CycleOffer[];
}

export interface BundleProduct {
  readonly productId: ProductId;
  readonly name: string;
  readonly type: string;
  readonly coreMetered: boolean;
  readonly provider: string;
  readonly providerSku: string;
}

/** One product, and one of its cycles if it is sold: what a purchase needs, in one round trip. */
export interface ProductPurchase {
  readonly productId: ProductId;
  readonly type: string;
  readonly name: string;
  readonly coreMetered: boolean;
  readonly provider: string;
  readonly providerSku: string;
  readonly currency: Currency;
  /** Whether any cycle of it has a price for this reseller. */
  readonly sold: boolean;
  readonly cycleId: CycleId | null;
  readonly months: number;
  readonly price: bigint | null;
  readonly setupFee: bigint;
  readonly pricePerCore: bigint | null;
  readonly providerCycle: string | null;
}

/** A reseller's own price wins over the list price, in its currency only (contract 3.8). */
const priceOf = `
  lateral (select p.* from prices p
            where p.cycle_id = c.id and p.currency = r.currency and (p.reseller_id = r.id or p.reseller_id is null)
            order by p.reseller_id nulls last limit 1) price`;

const cycleJson = `
  jsonb_build_object('cycleId', c.id, 'name', c.name, 'months', c.months, 'price', price.price::text,
                     'setupFee', price.setup_fee::text, 'providerCycle', c.provider_cycle, 'pricePerCore', price.price_per_core::text)`;

type CycleJson = Omit<CycleOffer, "price" | "setupFee" | "pricePerCore"> & {
  price: string;
  setupFee: string;
  pricePerCore: string | null;
};

function parseCycle(cycle: CycleJson): CycleOffer {
  return {
    ...cycle,
    price: BigInt(cycle.price),
    setupFee: BigInt(cycle.setupFee),
    pricePerCore: cycle.pricePerCore === null ? null : BigInt(cycle.pricePerCore),
  };
}

/** What the reseller can buy, by id; products without a price in its currency are left out. */
export async function listProductOffers(db: Database, resellerId: ResellerId): Promise<ProductOffer[]> {
  const rows = await db.query<Omit<ProductOffer, "cycles"> & { cycles: CycleJson[] }>({
    name: "list_product_offers",
    text: `
      select p.id as "productId", p.name, p.slug as type, p.description, p.core_metered as "coreMetered", p.workers,
             r.currency, jsonb_agg(${cycleJson} order by c.months) as cycles
        from resellers r
        cross join products p
        join billing_cycles c on c.product_id = p.id and c.retired_at is null
        join ${priceOf} on true
       where r.id = $1 and p.retired_at is null
       group by p.id, r.currency order by p.id`,
    values: [resellerId],
  });
  return rows.map((row) => ({ ...row, cycles: row.cycles.map(parseCycle) }));
}

/** The bundles that the reseller can buy, by id, members in their order (contract 3.9). */
export async function listBundleOffers(db: Database, resellerId: ResellerId): Promise<BundleOffer[]> {
  const rows = await db.query<Omit<BundleOffer, "cycles"> & { cycles: CycleJson[] }>({
    name: "list_bundle_offers",
    text: `
      select b.id as "bundleId", b.name, b.description, r.currency,
             (select jsonb_agg(jsonb_build_object('productId', p.id, 'name', p.name, 'type', p.slug,
                       'coreMetered', p.core_metered, 'provider', p.provider, 'providerSku', p.provider_sku)
                     order by m.position)
                from bundle_members m join products p on p.id = m.product_id where m.bundle_id = b.id) as products,
             jsonb_agg(${cycleJson} order by c.months) as cycles
        from resellers r
        cross join bundles b
        join billing_cycles c on c.bundle_id = b.id and c.retired_at is null
        join ${priceOf} on true
       where r.id = $1 and b.retired_at is null
       group by b.id, r.currency order by b.id`,
    values: [resellerId],
  });
  return rows.map((row) => ({ ...row, cycles: row.cycles.map(parseCycle) }));
}

/** Null: no such product on sale. `price` null: no such cycle of it, or not sold to this reseller. */
export async function findProductPurchase(
  db: Database,
  resellerId: ResellerId,
  productId: number,
  cycleId: number,
): Promise<ProductPurchase | null> {
  const [row] = await db.query<ProductPurchase>({
    name: "find_product_purchase",
    text: `
      select p.id as "productId", p.slug as type, p.name, p.core_metered as "coreMetered", p.provider,
             p.provider_sku as "providerSku", r.currency, c.id as "cycleId", c.months, price.price,
             price.setup_fee as "setupFee", price.price_per_core as "pricePerCore", c.provider_cycle as "providerCycle",
             price.price is not null or exists (
               select from billing_cycles c join prices s on s.cycle_id = c.id
                where c.product_id = p.id and c.retired_at is null and s.currency = r.currency
                  and (s.reseller_id = r.id or s.reseller_id is null)) as sold
        from resellers r
        join products p on p.id = $2 and p.retired_at is null
        left join billing_cycles c on c.id = $3 and c.product_id = p.id and c.retired_at is null
        left join ${priceOf} on true
       where r.id = $1`,
    values: [resellerId, productId, cycleId],
  });
  return row ?? null;
}

/**
 * What each cycle of a product, or of a bundle, costs the reseller today, shortest first: those on sale, and `keptCycleId` even when
 * retired: whoever has it may renew with it.
 */
export async function listCyclePrices(
  db: Database,
  resellerId: ResellerId,
  owner: { readonly productId: number } | { readonly bundleId: number },
  keptCycleId: number | null,
): Promise<CyclePrice[]> {
  const ofProduct = "productId" in owner;
  return db.query<CyclePrice>({
    name: `list_cycle_prices_${ofProduct ? "product" : "bundle"}`,
    text: `
      select c.id as "cycleId", c.name, c.months, price.price, price.setup_fee as "setupFee",
             price.price_per_core as "pricePerCore", r.currency
        from resellers r
        join billing_cycles c on c.${ofProduct ? "product_id" : "bundle_id"} = $2 and (c.retired_at is null or c.id = $3)
        join ${priceOf} on true
       where r.id = $1 order by c.months, c.id`,
    values: [resellerId, ofProduct ? owner.productId : owner.bundleId, keptCycleId],
  });
}

/**
 * What a cycle costs the reseller today: of a product or of a bundle. A retired one is found by its months, or by its
 * id where it is the one that is kept: who has it renews with it, and nobody switches to it (contract 3.4).
 * Null: no such cycle of that owner, or no price in the reseller's currency.
 */
export async function findCyclePrice(
  db: Database,
  resellerId: ResellerId,
  owner: { readonly productId: number } | { readonly bundleId: number },
  cycle: { readonly cycleId: number; readonly keptCycleId: number | null } | { readonly months: number },
): Promise<CyclePrice | null> {
  const ofProduct = "productId" in owner;
  const byId = "cycleId" in cycle;
  const [row] = await db.query<CyclePrice>({
    name: `find_cycle_price_${ofProduct ? "product" : "bundle"}_${byId ? "id" : "months"}`,
    text: `
      select c.id as "cycleId", c.name, c.months, price.price, price.setup_fee as "setupFee",
             price.price_per_core as "pricePerCore", c.provider_cycle as "providerCycle", r.currency
        from resellers r
        join billing_cycles c on c.${ofProduct ? "product_id" : "bundle_id"} = $2 and c.${byId ? "id" : "months"} = $3
         ${byId ? "and (c.retired_at is null or c.id = $4)" : ""}
        join ${priceOf} on true
       where r.id = $1`,
    values: [
      resellerId,
      ofProduct ? owner.productId : owner.bundleId,
      ...(byId ? [cycle.cycleId, cycle.keptCycleId] : [cycle.months]),
    ],
  });
  return row ?? null;
}

/** Product id → the provider's name of its cycle of that many months; products without one are left out. */
export async function findProviderCycles(
  db: Database,
  productIds: readonly number[],
  months: number,
): Promise<ReadonlyMap<number, string>> {
  const rows = await db.query<{ product_id: number; provider_cycle: string }>({
    name: "find_provider_cycles",
    text: `select product_id, provider_cycle from billing_cycles
            where product_id = any ($1::int[]) and months = $2 and provider_cycle is not null`,
    values: [productIds, months],
  });
  return new Map(rows.map((row) => [row.product_id, row.provider_cycle]));
}
