import type { Database } from "#lib/db/connection/client.ts";
import { int, list } from "#lib/db/connection/columns.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type SearchWord, toSearchWords } from "#lib/domain/search-text.ts";
import { inNewestShard, queryOf } from "./search-index.ts";

/** A word with all that it can name. */
export interface ResolvedWord extends SearchWord {
  /** Products with a word in their name that begins with it. */
  readonly productIds: readonly number[];
  /** Licenses that it names, by their id or the end of their key. */
  readonly licenseIds: readonly number[];
}

/** More words in the query of the index find hardly fewer licenses. */
const INDEXED_WORDS_MAX = 4;
/** Matches in a shard up to which a word alone is the best query. */
const RARE = 64;

const resolvedRow = { productIds: list(int), licenseIds: list(int), frequency: int };

/** `$1`: the reseller whose newest licenses show how frequent a word is. */
const resolveSql = (ofReseller: "" | "and l.reseller_id = $1") => `
      select array(select p.id from products p where position(u.parts in license_search_words(p.name, p.slug)) > 0) as "productIds",
             array(select l.id from licenses l
                    where reverse(l.key) collate "C" >= u.ending and reverse(l.key) collate "C" < u.ending || '~'
                      ${ofReseller} limit 20) as "licenseIds",
             case when cardinality($2) > 1 then
               (select count(*)::int from (select * from licenses l where ${inNewestShard("u.query", "$1")} offset 0) l
                 where l.reseller_id = $1)
             else 0 end as frequency
        from unnest($2::text[], $3::text[], $4::text[]) with ordinality u (parts, ending, query, place)
       order by u.place`;
const resolveSearchWords = statement("resolve_search_words", resolvedRow)`${resolveSql("and l.reseller_id = $1")}`;
const resolveAllSearchWords = statement("resolve_all_search_words", resolvedRow)`${resolveSql("")}`;
const findNewestOwner = statement("find_newest_owner", {
  resellerId: int,
})`select reseller_id as "resellerId" from licenses order by id desc limit 1`;

/** The words of a search text and, the rarest first, those that the index is searched for. `resellerId` null: all. */
export async function resolveWords(
  db: Database,
  resellerId: ResellerId | null,
  text: string,
): Promise<{ readonly words: readonly ResolvedWord[]; readonly indexed: readonly ResolvedWord[] }> {
  const words = toSearchWords(text);
  if (words.length === 0) return { words: [], indexed: [] };
  const sampled = resellerId ?? (await db.query(findNewestOwner, []))[0]?.resellerId ?? 0;
  const rows = await db.query(resellerId === null ? resolveAllSearchWords : resolveSearchWords, [
    sampled,
    words.map(({ parts }) => parts),
    words.map(({ keyEnding }) => keyEnding && Array.from(keyEnding).reverse().join("")),
    words.map((word) => queryOf({ ...word, productIds: [], licenseIds: [] })),
  ]);
  const resolved = words.map((word, index) => {
    const { productIds = [], licenseIds = [], frequency = 0 } = rows[index] ?? {};
    const named = word.licenseId === null ? licenseIds : [...licenseIds, word.licenseId];
    // A product can have any number of licenses.
    return {
      frequency: productIds.length > 0 ? Number.POSITIVE_INFINITY : frequency,
      word: { ...word, productIds, licenseIds: named },
    };
  });
  const byFrequency = resolved.toSorted((a, b) => a.frequency - b.frequency);
  const isFirstRare = (byFrequency[0]?.frequency ?? 0) <= RARE;
  return {
    words: resolved.map(({ word }) => word),
    indexed: byFrequency.slice(0, isFirstRare ? 1 : INDEXED_WORDS_MAX).map(({ word }) => word),
  };
}
