import { createHash } from "node:crypto";
import type { LicenseFilter, LicenseMatch, TextMatch } from "./filter.ts";
import { inAnyShard, inShard, SHARD_BITS } from "./search-index.ts";

/**
 * So many of the nearest licenses are looked at one by one: what is frequent is found among them. More than a search is
 * counted to, so that what all of them have is counted there.
 */
const NEAR = 1024;

/** Expressions on `licenses l`, and placeholders. */
export interface Stretch {
  /** What comes before the id; null: the id alone. */
  readonly key: string | null;
  readonly ascending: boolean;
  /** The condition that cuts off what is before the page; null: nothing is. */
  readonly beyond: string | null;
  readonly limit: string;
}

/** `select l.*` of the first licenses that match, in the order of the stretch but not sorted. */
export function firstMatches(match: LicenseMatch, stretch: Stretch): string {
  const { text } = match;
  if (text === null) return `select l.* ${inOrder(match, stretch, stretch.limit)}`;
  const ids = stretch.key === null ? searchById(match, text, stretch) : searchByKey(match, text, stretch, stretch.key);
  return `select l.* from (${ids}) first join licenses l on l.id = first.id`;
}

/** What matches but for the text, from the start of the stretch on. */
function inOrder({ conditions }: LicenseMatch, { key, ascending, beyond }: Stretch, limit: string): string {
  const direction = ascending ? "asc" : "desc";
  const all = beyond === null ? conditions : [...conditions, beyond];
  const orderBy = [...(key === null ? [] : [key]), "l.id"].map((one) => `${one} ${direction}`).join(", ");
  return `from licenses l where ${all.join(" and ")} order by ${orderBy} limit ${limit}`;
}

/**
 * By id: first among the nearest, then shard by shard of the search index, until there are enough. So neither what half
 * of the licenses have is fetched as a whole, nor are all licenses walked past for what few have.
 */
function searchById(match: LicenseMatch, text: TextMatch, stretch: Stretch): string {
  const { conditions, reseller } = match;
  const { ascending, limit } = stretch;
  const [direction, further, furthest] = ascending ? ["asc", ">", "max"] : ["desc", "<", "min"];
  const endOfShard = ascending ? `((at.shard + 1) << ${SHARD_BITS}) - 1` : `at.shard << ${SHARD_BITS}`;
  // The innermost `offset 0` keeps the planner from finding a shard's matches by anything but the search index.
  return `
    with recursive step (edge, found, ids) as (
      select case count(*) when ${NEAR} then ${furthest}(id) end, count(*) filter (where matches),
             coalesce(array_agg(id) filter (where matches), '{}')
        from (select l.id, ${text.condition} as matches from (select * ${inOrder(match, stretch, String(NEAR))}) l) near
      union all
      select ${endOfShard}, at.found + cardinality(more.ids), more.ids
        from (select step.*, next.id >> ${SHARD_BITS} as shard
                from step cross join lateral (
                     select id from licenses where reseller_id = ${reseller} and id ${further} step.edge
                      order by id ${direction} limit 1) next
               where found < ${limit} offset 0) at
       cross join lateral (
             select array(select l.id from (select * from licenses l where ${inShard(text.query, "at.shard")} offset 0) l
                           where ${[...conditions, text.condition].join(" and ")} and l.id ${further} at.edge
                           order by l.id ${direction} limit ${limit}) as ids offset 0) more
    )
    select unnest(ids) as id from step order by id ${direction} limit ${limit}`;
}

/** By another key: first among the nearest; if these are too few, all that match are compared. */
function searchByKey(match: LicenseMatch, text: TextMatch, stretch: Stretch, key: string): string {
  const { conditions, reseller } = match;
  const { ascending, limit } = stretch;
  const [direction, opposite, further] = ascending ? ["asc", "desc", ">"] : ["desc", "asc", "<"];
  // As many as a count needs of what each tenth has: to compare all that match costs far more.
  const nearest = `greatest(${NEAR}, 10 * ${limit})`;
  return `
    with near as materialized (
      select l.id, ${key} as key, ${text.condition} as matches
        from (select * ${inOrder(match, stretch, nearest)}) l)
    select id from (
      select id, key from near where matches
      union all
      (select l.id, ${key}
         from (select * from licenses l
                where (select count(*) = ${nearest} and count(*) filter (where matches) < ${limit} from near)
                  and ${inAnyShard(text.query, reseller)} offset 0) l
        where ${[...conditions, text.condition].join(" and ")}
          and (${key}, l.id) ${further} (select key, id from near order by key ${opposite}, id ${opposite} limit 1)
        order by ${key} ${direction}, l.id ${direction} limit ${limit})) found
     order by key ${direction}, id ${direction} limit ${limit}`;
}

/**
 * A search by text alone has a name: there are only so many of these, planning one takes as long as finding a page, and
 * which plan is best does not depend on what is searched for.
 */
export function nameSearch(filter: LicenseFilter, text: string): string | undefined {
  if (filter.text === undefined || Object.keys(filter).length > 1) return undefined;
  return `search_licenses_${createHash("sha1").update(text).digest("hex").slice(0, 12)}`;
}
