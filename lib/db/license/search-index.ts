/** The index `licenses_search`: what licenses are found by, shard by shard of their ids (`license_search_tokens`). */

/** A shard is so many bits of an id wide. */
export const SHARD_BITS = 13;

/** Placeholders of a query for one shard: what stands before the shard, and what stands behind it. */
export interface IndexQuery {
  readonly start: string;
  readonly end: string;
}

/** Binds what is asked for. `quotedToken` is that of a `SearchText`. */
export function bindIndexQuery(resellerId: number, quotedToken: string, bind: (value: unknown) => string): IndexQuery {
  return { start: bind(`'${resellerId.toString(16)}:`), end: bind(`:${quotedToken}':*`) };
}

const TOKENS = "license_search_tokens(l.reseller_id, l.id, l.key, l.ip_address, l.search_words)";
const textFor = ({ start, end }: IndexQuery, shard: string) => `${start} || to_hex(${shard}) || ${end}`;

/** The condition on `licenses l` that the index serves, in the shard that an expression tells. */
export function inShard(query: IndexQuery, shard: string): string {
  return `${TOKENS} @@ (${textFor(query, shard)})::tsquery`;
}

/** The same over all of the reseller's shards. */
export function inAnyShard(query: IndexQuery, reseller: string): string {
  const shardOf = (end: "min" | "max") =>
    `(select ${end}(id) >> ${SHARD_BITS} from licenses where reseller_id = ${reseller})`;
  return `${TOKENS} @@ (select string_agg(${textFor(query, "shard")}, ' | ')::tsquery
    from generate_series(${shardOf("min")}, ${shardOf("max")}) shard)`;
}
