import type { Database } from "#lib/db/connection/client.ts";
import { int, nullable, text } from "#lib/db/connection/columns.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { CycleOwner } from "./write.ts";

/** The versions that an admin's form showed. Every change of a row changes its version. */
export interface CatalogVersions {
  /** Of the product or bundle. */
  readonly owner: string;
  /** By cycle. */
  readonly cycles: ReadonlyMap<number, string>;
  /** List prices by `priceKey`. */
  readonly prices: ReadonlyMap<string, string>;
}

export const priceKey = (cycleId: number, currency: string) => `${cycleId} ${currency}`;

const versionsOf = (owner: "product" | "bundle") =>
  statement(`read_versions_of_${owner}`, { cycleId: nullable(int), currency: nullable(text), version: text })`
      select null::int as "cycleId", null::text as currency, o.xmin::text as version from ${owner}s o where o.id = $1
      union all
      select c.id, null, c.xmin::text from billing_cycles c where c.${owner}_id = $1
      union all
      select s.cycle_id, s.currency::text, s.xmin::text
        from prices s join billing_cycles c on c.id = s.cycle_id where c.${owner}_id = $1 and s.reseller_id is null`;
const productVersions = versionsOf("product");
const bundleVersions = versionsOf("bundle");

/** Read before the data, so that a change in between counts as unseen. */
export async function readCatalogVersions(db: Database, owner: CycleOwner): Promise<CatalogVersions> {
  const rows =
    "productId" in owner
      ? await db.query(productVersions, [owner.productId])
      : await db.query(bundleVersions, [owner.bundleId]);
  const cycles = new Map<number, string>();
  const prices = new Map<string, string>();
  let own = "";
  for (const { cycleId, currency, version } of rows) {
    if (cycleId === null) own = version;
    else if (currency === null) cycles.set(cycleId, version);
    else prices.set(priceKey(cycleId, currency), version);
  }
  return { owner: own, cycles, prices };
}
