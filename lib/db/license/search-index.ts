/** The index `licenses_search`, in shards of license ids (`license_search_tokens`). */

/** Bits of an id within one shard. */
export const SHARD_BITS = 13;

/** Placeholders of a query: the text before and after the shard. */
export interface IndexQuery {
  readonly start: string;
  readonly end: string;
}

/** `quotedToken`: of a `SearchText`. */
export function bindIndexQuery(resellerId: number, quotedToken: string, bind: (value: unknown) => string): IndexQuery {
  return { start: bind(`'${resellerId.toString(16)}:`), end: bind(`:${quotedToken}':*`) };
}

const TOKENS = "license_search_tokens(l.reseller_id, l.id, l.key, l.ip_address, l.search_words)";
const textFor = ({ start, end }: IndexQuery, shard: string) => `${start} || to_hex(${shard}) || ${end}`;

/** The condition on `licenses l` that the index serves, for the shard given by an expression. */
export function inShard(query: IndexQuery, shard: string): string {
  return `${TOKENS} @@ (${textFor(query, shard)})::tsquery`;
}

/** The same across all of the reseller's shards. */
export function inAnyShard(query: IndexQuery, reseller: string): string {
  const shardOf = (end: "min" | "max") =>
    `(select ${end}(id) >> ${SHARD_BITS} from licenses where reseller_id = ${reseller})`;
  return `${TOKENS} @@ (select string_agg(${textFor(query, "shard")}, ' | ')::tsquery
    from generate_series(${shardOf("min")}, ${shardOf("max")}) shard)`;
}
