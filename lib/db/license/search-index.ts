import { quoteToken } from "#lib/domain/search-text.ts";
import type { ResolvedWord } from "./search-words.ts";

/** The index `licenses_search`, in shards of license ids (`license_search_tokens`). */

/** Bits of an id within one shard. */
export const SHARD_BITS = 13;

/** Stand for the shard and the reseller in a query; no word contains them. */
const [SHARD, RESELLER] = ["\u0001", "\u0002"];

type IndexedWord = Pick<ResolvedWord, "bundleInstanceId" | "licenseIds" | "productIds" | "quotedToken">;

/** A tsquery for one word, with `SHARD` and `RESELLER` in place of the two. */
export function queryOf(word: IndexedWord): string {
  const { quotedToken, licenseIds, productIds, bundleInstanceId } = word;
  const prefix = `${RESELLER}:${SHARD}:`;
  const exact = [
    ...licenseIds.map((id) => `#${id}`),
    ...productIds.map((id) => `@${id}`),
    ...(bundleInstanceId === null ? [] : [`%${bundleInstanceId}`]),
  ];
  return `(${[`'${prefix}${quotedToken}':*`, ...exact.map((token) => `'${prefix}${token}'`)].join(" | ")})`;
}

/** The same for one customer, by any of its fields, or one tag: whole, in lower case. */
export function queryOfLabel(kind: "customer" | "tag", label: string): string {
  return `'${RESELLER}:${SHARD}:${kind === "customer" ? "&" : "+"}${quoteToken(label)}'`;
}

/** The same for all words. */
export function queryOfAll(words: readonly IndexedWord[]): string {
  return words.map((word) => queryOf(word)).join(" & ");
}

const TOKENS = `license_search_tokens(l.reseller_id, l.id, l.key, l.ip_address, l.search_words, l.product_id,
  coalesce(l.bundle_instance_id, 0), coalesce(l.external_id, ''),
  array[l.customer_name, l.customer_email, l.customer_reference], l.tags)`;
const textFor = (query: string, reseller: string, shard: string) =>
  `replace(replace(${query}, e'\\x02', to_hex(${reseller}::int)), e'\\x01', to_hex(${shard}))`;

/** The condition on `licenses l` that the index serves, for the reseller and the shard given by expressions. */
export function inShard(query: string, reseller: string, shard: string): string {
  return `${TOKENS} @@ (${textFor(query, reseller, shard)})::tsquery`;
}

const shardOf = (end: "min" | "max", reseller: string) =>
  `(select ${end}(id) >> ${SHARD_BITS} from licenses where reseller_id = ${reseller})`;

/** The same for the reseller's newest licenses. */
export function inNewestShard(query: string, reseller: string): string {
  return inShard(query, reseller, shardOf("max", reseller));
}

/** The same across all of the reseller's shards. */
export function inAnyShard(query: string, reseller: string): string {
  return `${TOKENS} @@ (select string_agg('(' || ${textFor(query, reseller, "shard")} || ')', ' | ')::tsquery
    from generate_series(${shardOf("min", reseller)}, ${shardOf("max", reseller)}) shard)`;
}
