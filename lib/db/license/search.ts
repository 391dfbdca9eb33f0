import { createHash } from "node:crypto";
import { toSearchWords } from "#lib/domain/search-text.ts";
import type { LicenseFilter, LicenseMatch, TextMatch } from "./filter.ts";
import { inAnyShard, inShard, SHARD_BITS } from "./search-index.ts";

/** The nearest licenses that are filtered one by one, enough for frequent matches. More than a count's limit. */
const NEAR = 1024;

/** Expressions on `licenses l`, and placeholders. */
export interface Stretch {
  /** The sort expression before the id; null: the id alone. */
  readonly key: string | null;
  readonly ascending: boolean;
  /** The cursor's condition; null for the first page. */
  readonly beyond: string | null;
  readonly limit: string;
}

/** `select l.*` of the first matches from the cursor on, not sorted. */
export function firstMatches(match: LicenseMatch, stretch: Stretch): string {
  const { text } = match;
  if (text === null) return `select l.* ${inOrder(match, stretch, stretch.limit)}`;
  const ids = stretch.key === null ? searchById(match, text, stretch) : searchByKey(match, text, stretch, stretch.key);
  return `select l.* from (${ids}) first join licenses l on l.id = first.id and l.reseller_id = ${match.reseller}`;
}

/** Matches of all conditions but the text's, from the cursor on. */
function inOrder({ conditions }: LicenseMatch, { key, ascending, beyond }: Stretch, limit: string): string {
  const direction = ascending ? "asc" : "desc";
  const all = beyond === null ? conditions : [...conditions, beyond];
  const orderBy = [...(key === null ? [] : [key]), "l.id"].map((one) => `${one} ${direction}`).join(", ");
  return `from licenses l where ${all.join(" and ")} order by ${orderBy} limit ${limit}`;
}

/**
 * By id: first the nearest licenses, then the search index shard by shard, until there are enough. Bounded for frequent
 * and for rare texts.
 */
function searchById(match: LicenseMatch, text: TextMatch, stretch: Stretch): string {
  const { conditions, reseller } = match;
  const { ascending, limit } = stretch;
  const [direction, further, furthest] = ascending ? ["asc", ">", "max"] : ["desc", "<", "min"];
  const endOfShard = ascending ? `((at.shard + 1) << ${SHARD_BITS}) - 1` : `at.shard << ${SHARD_BITS}`;
  // The innermost `offset 0` forces the planner to use the search index within a shard.
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
             select array(select l.id from (select * from licenses l where ${inShard(text.query, reseller, "at.shard")} offset 0) l
                           where ${[...conditions, text.condition].join(" and ")} and l.id ${further} at.edge
                           order by l.id ${direction} limit ${limit}) as ids offset 0) more
    )
    select unnest(ids) as id from step order by id ${direction} limit ${limit}`;
}

/** By another key: first the nearest licenses; if they have too few matches, sorts all matches. */
function searchByKey(match: LicenseMatch, text: TextMatch, stretch: Stretch, key: string): string {
  const { conditions, reseller } = match;
  const { ascending, limit } = stretch;
  const [direction, opposite, further] = ascending ? ["asc", "desc", ">"] : ["desc", "asc", "<"];
  // Enough to count a text that a tenth of the licenses match: sorting all matches costs far more.
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

/** A text of more words is rarely searched for twice. */
const NAMED_WORDS_MAX = 3;

/**
 * Searches by a few words alone are named and therefore prepared: there are few of them, planning takes as long as
 * finding a page, and the best plan does not depend on the words.
 */
export function nameSearch(filter: LicenseFilter, text: string): string | undefined {
  const { text: searched, ...others } = filter;
  if (searched === undefined || Object.values(others).some((value) => value !== undefined)) return undefined;
  if (toSearchWords(searched).length > NAMED_WORDS_MAX) return undefined;
  return nameByText("search_licenses", text);
}

export function nameByText(kind: string, text: string): string {
  return `${kind}_${createHash("sha1").update(text).digest("hex").slice(0, 12)}`;
}
