import type { Database } from "#lib/db/connection/client.ts";
import { boolean, int, json, list, nullable, oneOf, text } from "#lib/db/connection/columns.ts";
import { defineFind, defineList } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import { ProviderKind } from "#lib/db/generated/enums.ts";
import { costJson, pricesJson, storedCost, storedListPrice } from "./price.ts";

const storedCycle = json({
  id: int,
  name: text,
  months: int,
  providerCycle: nullable(text),
  retired: boolean,
  cost: nullable(storedCost),
  /** List prices. */
  prices: list(storedListPrice),
  version: text,
});
export type CatalogCycle = Readonly<RowOf<{ cycle: typeof storedCycle }>["cycle"]>;

const cyclesColumn = (owner: "product" | "bundle") => `
  coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'months', c.months, 'providerCycle', c.provider_cycle,
                     'retired', c.retired_at is not null, 'cost', ${costJson}, 'version', c.xmin::text,
                     'prices', coalesce((select jsonb_agg(${pricesJson("s")} || jsonb_build_object('currency', s.currency, 'version', s.xmin::text)
                                                          order by s.currency)
                                           from prices s where s.cycle_id = c.id and s.reseller_id is null), '[]')) order by c.months)
              from billing_cycles c where c.${owner}_id = o.id), '[]') as cycles`;

const productRow = {
  id: int,
  slug: text,
  name: text,
  description: text,
  coreMetered: boolean,
  workers: int,
  providerName: text,
  providerKind: oneOf(ProviderKind),
  providerSku: text,
  retired: boolean,
  cycles: list(storedCycle),
  bundles: list(json({ id: int, name: text, retired: boolean })),
  /** Not terminated. While there are any, provider and code cannot change. */
  keptLicenses: int,
  /** Including resellers' own prices. While there are any, the metering cannot change. */
  priceCount: int,
  version: text,
};
export type CatalogProduct = RowOf<typeof productRow>;

export const findCatalogProduct = defineFind("find_catalog_product", productRow)<[id: number]>`
      select o.id, o.slug, o.name, o.description, o.core_metered as "coreMetered", o.workers, o.provider as "providerName",
             v.kind as "providerKind", o.provider_sku as "providerSku", o.retired_at is not null as retired, ${cyclesColumn("product")},
             coalesce((select jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'retired', b.retired_at is not null) order by b.id)
                         from bundle_members m join bundles b on b.id = m.bundle_id where m.product_id = o.id), '[]') as bundles,
             (select count(*)::int from licenses l where l.product_id = o.id and l.terminated_at is null) as "keptLicenses",
             (select count(*)::int from prices s join billing_cycles c on c.id = s.cycle_id where c.product_id = o.id) as "priceCount",
             o.xmin::text as version
        from products o join providers v on v.name = o.provider where o.id = $1`;

const memberRow = {
  id: int,
  slug: text,
  name: text,
  provider: text,
  coreMetered: boolean,
  retired: boolean,
  /** On sale, with the currencies of their list prices. */
  cycles: list(json({ months: int, currencies: list(text) })),
};
export type MemberProduct = RowOf<typeof memberRow>;

const memberColumns = `
  p.id, p.slug, p.name, p.provider, p.core_metered as "coreMetered", p.retired_at is not null as retired,
  coalesce((select jsonb_agg(jsonb_build_object('months', c.months, 'currencies', array(
                     select s.currency from prices s where s.cycle_id = c.id and s.reseller_id is null)))
              from billing_cycles c where c.product_id = p.id and c.retired_at is null), '[]') as cycles`;

const listBundleMembers = defineList("list_bundle_members", memberRow)<[bundleId: number]>`
      select ${memberColumns} from bundle_members m join products p on p.id = m.product_id where m.bundle_id = $1 order by m.position`;

/** Products with these ids, unordered; null: all that are not retired, by name. */
export const listMemberProducts = defineList("list_member_products", memberRow)<[ids: readonly number[] | null]>`
      select ${memberColumns} from products p
       where case when $1::int[] is null then p.retired_at is null else p.id = any ($1) end order by p.name`;

const bundleRow = {
  id: int,
  name: text,
  description: text,
  retired: boolean,
  cycles: list(storedCycle),
  version: text,
};
export type CatalogBundle = RowOf<typeof bundleRow> & { readonly members: readonly MemberProduct[] };

const findBundle = statement("find_catalog_bundle", bundleRow)`
      select o.id, o.name, o.description, o.retired_at is not null as retired, ${cyclesColumn("bundle")}, o.xmin::text as version
        from bundles o where o.id = $1`;

export async function findCatalogBundle(db: Database, id: number): Promise<CatalogBundle | null> {
  const row = await findRow(db, findBundle, [id]);
  // After the version, so that a change of the members in between counts as unseen.
  return row && { ...row, members: await listBundleMembers(db, id) };
}
