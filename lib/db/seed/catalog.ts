import { int } from "#lib/db/connection/columns.ts";
import { defineGet, defineRun } from "#lib/db/connection/define.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";

export interface NewCycle {
  readonly name: string;
  readonly months: number;
  readonly prices: readonly (CyclePrices & { readonly currency: string })[];
}

/** The cycles of `made`, and their list prices, from a JSON parameter. */
const cyclesOf = (owner: "product" | "bundle", parameter: string) => `
  terms as (
    select * from jsonb_to_recordset(${parameter}::jsonb) as t (name text, months int, prices jsonb)
  ), cycles as (
    insert into billing_cycles (${owner}_id, name, months)
    select made.id, t.name, t.months from made, terms t order by t.months returning id, months
  )
  insert into prices (cycle_id, currency, price, setup_fee, price_per_core)
  select c.id, p.currency, p.price, p."setupFee", p."pricePerCore"
    from cycles c join terms t on t.months = c.months
   cross join jsonb_to_recordset(t.prices) as p (currency text, price bigint, "setupFee" bigint, "pricePerCore" bigint)
   order by c.id`;

export const insertSeedProduct = defineRun("seed_product").values(
  (product: {
    readonly slug: string;
    readonly name: string;
    readonly coreMetered: boolean;
    readonly workers: number;
    readonly providerSku: string;
    readonly cycles: readonly NewCycle[];
  }) => {
    const { slug, name, coreMetered, workers, providerSku, cycles } = product;
    return [slug, name, coreMetered, workers, providerSku, toJson(cycles)];
  },
)`
  with made as (
    insert into products (slug, name, core_metered, workers, provider_sku) values ($1, $2, $3, $4, $5) returning id
  ), ${cyclesOf("product", "$6")}`;

const toJson = (cycles: readonly NewCycle[]) =>
  JSON.stringify(cycles, (_, value) => (typeof value === "bigint" ? value.toString() : value));

export const insertSeedBundle = defineRun("seed_bundle").values(
  (bundle: {
    readonly name: string;
    readonly description: string;
    readonly members: readonly string[];
    readonly cycles: readonly NewCycle[];
  }) => [bundle.name, bundle.description, bundle.members, toJson(bundle.cycles)],
)`
  with made as (
    insert into bundles (name, description) values ($1, $2) returning id
  ), members as (
    insert into bundle_members (bundle_id, product_id, position)
    select made.id, p.id, m.place - 1
      from made, unnest($3::text[]) with ordinality m (slug, place) join products p on p.slug = m.slug
  ), ${cyclesOf("bundle", "$4")}`;

export const countCatalog = defineGet("count_catalog", { products: int, bundles: int })`
  select (select count(*)::int from products) as products, (select count(*)::int from bundles) as bundles`;
