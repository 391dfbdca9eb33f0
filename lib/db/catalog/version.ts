import type { Database } from "#lib/db/connection/client.ts";
import type { CycleOwner } from "./write.ts";

/** What an admin's form has seen: each is another one after every change of its row. */
export interface CatalogVersions {
  /** Of the product or bundle itself. */
  readonly owner: string;
  /** By cycle. */
  readonly cycles: ReadonlyMap<number, string>;
  /** Of list prices, by `priceKey`. */
  readonly prices: ReadonlyMap<string, string>;
}

export const priceKey = (cycleId: number, currency: string) => `${cycleId} ${currency}`;

/** Read before what they are versions of, so that a change in between is never taken for seen. */
export async function readCatalogVersions(db: Database, owner: CycleOwner): Promise<CatalogVersions> {
  const [table, column, id] =
    "productId" in owner
      ? (["products", "product_id", owner.productId] as const)
      : (["bundles", "bundle_id", owner.bundleId] as const);
  const rows = await db.query<{ cycleId: number | null; currency: string | null; version: string }>({
    name: `read_versions_of_${table}`,
    text: `
      select null::int as "cycleId", null::text as currency, o.xmin::text as version from ${table} o where o.id = $1
      union all
      select c.id, null, c.xmin::text from billing_cycles c where c.${column} = $1
      union all
      select s.cycle_id, s.currency::text, s.xmin::text
        from prices s join billing_cycles c on c.id = s.cycle_id where c.${column} = $1 and s.reseller_id is null`,
    values: [id],
  });
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
