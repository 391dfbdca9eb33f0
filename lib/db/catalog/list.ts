import type { Database } from "#lib/db/connection/client.ts";
import { as, boolean, int, json, jsonBigint, list, oneOf, text } from "#lib/db/connection/columns.ts";
import { defineAny, defineListValues } from "#lib/db/connection/define.ts";
import { listing, type PageInput } from "#lib/db/connection/listing.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import { isLive } from "#lib/db/reseller/sandbox.ts";
import { type CatalogState, catalogStates } from "#lib/domain/catalog.ts";
import type { Currency } from "#lib/domain/money.ts";

const catalogListRow = {
  id: int,
  name: text,
  state: oneOf(catalogStates),
  cycleCount: int,
  /** The lowest list price on sale per currency, in minor units; the currency of most resellers first. */
  priceFrom: list(json({ currency: as<Currency>(text), price: jsonBigint, months: int })),
};

const catalogProductRow = {
  ...catalogListRow,
  slug: text,
  provider: text,
  providerSku: text,
  coreMetered: boolean,
  /** Neither terminated nor expired, including bundle members. */
  liveLicenses: int,
};

const catalogBundleRow = { ...catalogListRow, members: list(text), liveInstances: int };

export type CatalogProductRow = RowOf<typeof catalogProductRow>;
export type CatalogBundleRow = RowOf<typeof catalogBundleRow>;

const stateOf = (owner: "product" | "bundle") => `
  case when o.retired_at is not null then 'retired'
       when exists (select from billing_cycles c join prices s on s.cycle_id = c.id
                     where c.${owner}_id = o.id and c.retired_at is null) then 'on_sale'
       else 'not_sold' end`;

const figuresOf = (owner: "product" | "bundle", row: string) => `
  (select count(*)::int from billing_cycles c where c.${owner}_id = ${row}.id and c.retired_at is null) as "cycleCount",
  coalesce((select jsonb_agg(jsonb_build_object('currency', f.currency, 'price', f.price::text, 'months', f.months)
                             order by f.buyers desc, f.currency)
     from (select distinct on (s.currency) s.currency, s.price, c.months,
                  (select count(*) from resellers r where r.currency = s.currency and r.sandbox_of is null) as buyers
             from billing_cycles c join prices s on s.cycle_id = c.id and s.reseller_id is null
            where c.${owner}_id = ${row}.id and c.retired_at is null
            order by s.currency, s.price, c.months) f), '[]') as "priceFrom"`;

const listCatalogProducts = statement("list_catalog_products", catalogProductRow)`
      select p.*, (select count(*)::int from licenses l
                    where l.product_id = p.id and l.terminated_at is null and l.expires_at > $6 and ${isLive("l")}) as "liveLicenses",
             ${figuresOf("product", "p")}
        from (select id, name, slug, provider, provider_sku as "providerSku", core_metered as "coreMetered",
                     ${stateOf("product")} as state
                from products o) p
       where ($1::text is null or p.name ilike $1 or p.slug ilike $1 or p."providerSku" ilike $1)
         and ($2::text is null or p.state = $2) and ($3::text is null or p.provider = $3)
         and ($4::int is null or (lower(p.name), p.id) > (select lower(a.name), a.id from products a where a.id = $4))
       order by lower(p.name), p.id limit $5`;

interface CatalogSelection {
  /** For ILIKE. */
  readonly pattern: string | null;
  readonly state: CatalogState | null;
  readonly now: Date;
}

/** By name. `before`: those that follow this product. */
export function productListing(
  db: Database,
  { pattern, state, now, provider }: CatalogSelection & { readonly provider: string | null },
) {
  return listing(db, ({ before, limit }: PageInput<number>) => [
    listCatalogProducts,
    [pattern, state, provider, before, limit, now],
  ]);
}

const listCatalogBundles = statement("list_catalog_bundles", catalogBundleRow)`
      select b.*, ${figuresOf("bundle", "b")},
             (select coalesce(jsonb_agg(p.name order by m.position), '[]')
                from bundle_members m join products p on p.id = m.product_id where m.bundle_id = b.id) as members,
             (select count(*)::int from bundle_instances i
               where i.bundle_id = b.id and i.terminated_at is null and i.expires_at > $5 and ${isLive("i")}) as "liveInstances"
        from (select id, name, ${stateOf("bundle")} as state from bundles o) b
       where ($1::text is null or b.name ilike $1
              or exists (select from bundle_members m join products p on p.id = m.product_id
                          where m.bundle_id = b.id and p.name ilike $1))
         and ($2::text is null or b.state = $2)
         and ($3::int is null or (lower(b.name), b.id) > (select lower(a.name), a.id from bundles a where a.id = $3))
       order by lower(b.name), b.id limit $4`;

/** By name. `before`: those that follow this bundle; `pattern` is also compared with the names of members. */
export function bundleListing(db: Database, { pattern, state, now }: CatalogSelection) {
  return listing(db, ({ before, limit }: PageInput<number>) => [
    listCatalogBundles,
    [pattern, state, before, limit, now],
  ]);
}

/** Currencies of wallets and prices; the currency of most resellers first. */
export const listPriceCurrencyRows = defineListValues("list_price_currencies", { currency: as<Currency>(text) })`
      select currency from (select currency from resellers union select currency from prices) c
       order by (select count(*) from resellers r where r.currency = c.currency and r.sandbox_of is null) desc, currency`;

/** Currencies of list prices; the one with most prices first. */
export const listSoldCurrencyRows = defineListValues("list_sold_currencies", { currency: as<Currency>(text) })`
      select currency from prices where reseller_id is null group by currency order by count(*) desc, currency`;

/** Whether resellers can register anything. */
export const hasAnythingOnSale = defineAny("has_anything_on_sale")`
      select from prices s
        join billing_cycles c on c.id = s.cycle_id and c.retired_at is null
        left join products p on p.id = c.product_id left join bundles b on b.id = c.bundle_id
       where coalesce(p.retired_at, b.retired_at) is null limit 1`;
