import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, int, nullable, text } from "#lib/db/connection/columns.ts";
import { defineFind } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { CycleId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";

/**
 * A cycle's price for the reseller `r`: its own takes precedence over the list price, in its currency only (contract
 * 3.8), also in its sandbox.
 */
export const priceOf = (cycle: string) => `
  lateral (select p.* from prices p
            where p.cycle_id = ${cycle} and p.currency = r.currency and (p.reseller_id = coalesce(r.sandbox_of, r.id) or p.reseller_id is null)
            order by p.reseller_id nulls last limit 1)`;

const cyclePrice = {
  cycleId: as<CycleId>(int),
  name: text,
  months: int,
  price: bigint,
  pricePerCore: nullable(bigint),
  providerCycle: nullable(text),
  currency: as<Currency>(text),
};
export type CyclePrice = RowOf<typeof cyclePrice>;

type Owner = { readonly productId: number } | { readonly bundleId: number };
const ownerOf = (owner: Owner) =>
  "productId" in owner ? (["product", owner.productId] as const) : (["bundle", owner.bundleId] as const);

const cyclePricesOf = (owner: "product" | "bundle", suffix: string, condition: string) =>
  statement(`cycle_prices_of_${owner}_${suffix}`, cyclePrice)`
      select c.id as "cycleId", c.name, c.months, price.price,
             price.price_per_core as "pricePerCore", c.provider_cycle as "providerCycle", r.currency
        from resellers r
        join billing_cycles c on c.${owner}_id = $2 and ${condition}
        join ${priceOf("c.id")} price on true
       where r.id = $1 order by c.months, c.id`;
const bothOwners = (suffix: string, condition: string) => ({
  product: cyclePricesOf("product", suffix, condition),
  bundle: cyclePricesOf("bundle", suffix, condition),
});
const pricesOnSale = bothOwners("on_sale", "(c.retired_at is null or c.id = $3)");
const priceById = bothOwners("by_id", "c.id = $3 and (c.retired_at is null or c.id = $4)");
const priceByMonths = bothOwners("by_months", "c.months = $3");

/**
 * Current prices of the cycles on sale, shortest first, and of `keptCycleId` even if retired: its licenses can renew
 * with it.
 */
export async function listCyclePrices(
  db: Database,
  resellerId: ResellerId,
  owner: Owner,
  keptCycleId: number | null,
): Promise<CyclePrice[]> {
  const [kind, id] = ownerOf(owner);
  return db.query(pricesOnSale[kind], [resellerId, id, keptCycleId]);
}

/**
 * The current price of a product's or bundle's cycle. A retired one is found only by months, or by id as the cycle that
 * a license already has (contract 3.4).
 * Null: no such cycle of that owner, or no price in the reseller's currency.
 */
export async function findCyclePrice(
  db: Database,
  resellerId: ResellerId,
  owner: Owner,
  cycle: { readonly cycleId: number; readonly keptCycleId: number | null } | { readonly months: number },
): Promise<CyclePrice | null> {
  const [kind, id] = ownerOf(owner);
  return "cycleId" in cycle
    ? findRow(db, priceById[kind], [resellerId, id, cycle.cycleId, cycle.keptCycleId])
    : findRow(db, priceByMonths[kind], [resellerId, id, cycle.months]);
}

const cycleCost = {
  slug: text,
  currency: as<Currency>(text),
  price: bigint,
  setupFee: bigint,
  perCore: bigint,
};

/** What a provider charged for a cycle at the last import, by its own names of both. Null: not known. */
export const findCycleCost = defineFind("find_cycle_cost", cycleCost).values(
  (providerName: string, { product, cycle }: { readonly product: string; readonly cycle: string | null }) => [
    providerName,
    product,
    cycle,
  ],
)`
      select p.slug, c.cost_currency as currency, c.cost_price as price, coalesce(c.cost_setup_fee, 0) as "setupFee",
             coalesce(c.cost_per_core, 0) as "perCore"
        from products p join billing_cycles c on c.product_id = p.id
       where p.provider = $1 and p.provider_sku = $2 and c.provider_cycle = $3
         and c.cost_currency is not null and c.cost_price is not null`;

const findProviderCyclesStatement = statement("find_provider_cycles", {
  product_id: int,
  provider_cycle: text,
})`select product_id, provider_cycle from billing_cycles
            where product_id = any ($1::int[]) and months = $2 and provider_cycle is not null`;

/** Product id → the provider's name of its cycle with that many months. */
export async function findProviderCycles(
  db: Database,
  productIds: readonly number[],
  months: number,
): Promise<ReadonlyMap<number, string>> {
  const rows = await db.query(findProviderCyclesStatement, [productIds, months]);
  return new Map(rows.map((row) => [row.product_id, row.provider_cycle]));
}
