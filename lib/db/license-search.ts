import { createHash } from "node:crypto";
import type { Statement } from "./client.ts";
import type { LicenseFilter, LicenseMatch } from "./license-filter.ts";

/** So many of the nearest licenses are looked at one by one: what is frequent is found among them. */
const NEAR = 1000;
/** The shards of `license_search_shards`, as powers of two: the first are small, as most searches end there. */
const SMALL_BITS = 15;
const LARGE_BITS = 18;
const SMALL_SHARDS = 2;
/** So many ids are walked through at once where the index knows nothing of the text. */
const WALKED_BITS = 12;

/** What few licenses have is found by an index of its own, and their text by looking at them. */
export function isSearch(filter: LicenseFilter): boolean {
  const { text, status = "active", renewal = "automatic", type: _, ...rare } = filter;
  return text !== undefined && status === "active" && renewal === "automatic" && Object.keys(rare).length === 0;
}

/**
 * The ids of the first licenses that match, by id: first among the nearest, then shard by shard of the search index,
 * until there are enough. So neither what half of the licenses have is fetched as a whole, nor are all licenses walked
 * past for what few have.
 */
export function firstMatchesById(
  { conditions, inIndex, reseller, bind }: LicenseMatch,
  search: { readonly ascending: boolean; readonly edge: number | null; readonly limit: string },
): string {
  const { ascending, edge, limit } = search;
  const [direction, beyond, furthest] = ascending ? ["asc", ">", "max"] : ["desc", "<", "min"];
  const matches = conditions.filter((condition) => condition !== inIndex).join(" and ");
  const bits =
    inIndex === null ? WALKED_BITS : `case when round < ${SMALL_SHARDS} then ${SMALL_BITS} else ${LARGE_BITS} end`;
  const inShard =
    inIndex === null
      ? `l.reseller_id = ${reseller} and l.id between at.shard << at.bits and ((at.shard + 1) << at.bits) - 1`
      : `license_search_shards(l.reseller_id, l.id)
           @> array[case at.bits when ${SMALL_BITS} then 1 else -1 end * (${reseller}::bigint << 32 | at.shard)] and ${inIndex}`;
  // The inner `offset 0` keeps the planner from finding a shard by anything but the index that its condition is for.
  return `
    with recursive near as materialized (
      select l.id, ${matches} as matches
        from (select * from licenses where reseller_id = ${reseller} ${edge === null ? "" : `and id ${beyond} ${bind(edge)}`}
               order by id ${direction} limit ${NEAR}) l
    ), step (round, edge, furthest, found, ids) as (
      select 0, ${furthest}(id), (select ${furthest}(id) from licenses where reseller_id = ${reseller}),
             count(*) filter (where matches), '{}'::int[]
        from near
      union all
      select at.round + 1, ${ascending ? "((at.shard + 1) << at.bits) - 1" : "at.shard << at.bits"}, at.furthest,
             at.found + cardinality(further.ids), further.ids
        from (select step.*, bits, (edge ${ascending ? "+" : "-"} 1) >> bits as shard
                from step cross join lateral (select ${bits} as bits) width
               where found < ${limit} and edge ${beyond === "<" ? ">" : "<"} furthest offset 0) at
       cross join lateral (
             select array(select l.id from (select * from licenses l where ${inShard} offset 0) l
                           where ${matches} and l.id ${beyond} at.edge
                           order by l.id ${direction} limit ${limit}) as ids offset 0) further
    )
    select id from (select id from near where matches union all select unnest(ids) from step) found
     order by id ${direction} limit ${limit}`;
}

/**
 * A search by text alone has a name: there are only so many of these, planning one takes as long as finding a page, and
 * which plan is best does not depend on what is searched for.
 */
export function searchStatement(filter: LicenseFilter, statement: Statement): Statement {
  if (filter.text === undefined || Object.keys(filter).length > 1) return statement;
  const shape = createHash("sha1").update(statement.text).digest("hex").slice(0, 12);
  return { ...statement, name: `search_licenses_${shape}` };
}
