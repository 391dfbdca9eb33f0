import type { Database } from "#lib/db/connection/client.ts";
import { as, float, int, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { countedPage, countListed, type PageInput } from "#lib/db/connection/listing.ts";
import { type RowOf, statementOf } from "#lib/db/connection/statement.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";

const apiRequestRow = {
  id: text,
  apiKeyId: as<ApiKeyId>(int),
  keyName: text,
  /** For a row that counts a minute: its start. */
  startedAt: timestamp,
  method: text,
  /** Empty if no endpoint was found or looked up. */
  operation: text,
  status: int,
  requestCount: int,
  meanDurationUs: float,
  maxDurationUs: int,
  /** Null: the row counts a minute. */
  requestId: nullable(text),
};
/** One request under a key, or the identical ones of a minute. */
export type ApiRequestRow = RowOf<typeof apiRequestRow>;

/** By the first digit of the status. */
export type StatusClass = 2 | 4 | 5;

export interface ApiRequestFilter {
  readonly apiKeyId?: ApiKeyId | undefined;
  readonly requestId?: string | undefined;
  readonly statusClass?: StatusClass | undefined;
  readonly operation?: string | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

/** A cursor in the log. */
export interface ApiRequestPlace {
  readonly startedAt: Date;
  readonly id: string;
}

const FIRST_ERROR_STATUS = 400;

/** Requests `r` of keys `k`: the newest of each key, which an index has in order. `$2` is the limit. */
function selectRequests(
  resellerId: ResellerId | null,
  filter: ApiRequestFilter,
  { before, limit }: PageInput<ApiRequestPlace>,
) {
  const values: unknown[] = [resellerId, limit];
  const place = (value: unknown) => `$${values.push(value)}`;
  const { apiKeyId, requestId, statusClass, operation, from, until } = filter;
  const ofKeys = ["($1::int is null or k.reseller_id = $1)"];
  if (apiKeyId !== undefined) ofKeys.push(`k.id = ${place(apiKeyId)}`);
  const conditions = ["r.api_key_id = k.id"];
  if (requestId !== undefined) conditions.push(`r.request_id = ${place(requestId)}`);
  if (statusClass !== undefined) {
    const first = statusClass * 100;
    conditions.push(`r.status between ${place(first)} and ${place(first + 99)}`);
    // The predicate of the index of errors.
    if (first >= FIRST_ERROR_STATUS) conditions.push(`r.status >= ${FIRST_ERROR_STATUS}`);
  }
  if (operation !== undefined) conditions.push(`r.operation = ${place(operation)}`);
  if (from !== undefined) conditions.push(`r.started_at >= ${place(from)}`);
  if (until !== undefined) conditions.push(`r.started_at < ${place(until)}`);
  if (before !== null) {
    conditions.push(`(r.started_at, r.id) < (${place(before.startedAt)}, ${place(before.id)}::bigint)`);
  }
  const rows = `
        from api_keys k cross join lateral (
               select * from api_requests r where ${conditions.join(" and ")}
                order by r.started_at desc, r.id desc limit $2) r
       where ${ofKeys.join(" and ")}`;
  return { rows, values };
}

/** Newest first. `resellerId` null: any reseller. */
export function apiRequestListing(db: Database, resellerId: ResellerId | null, filter: ApiRequestFilter) {
  return {
    list: (page: PageInput<ApiRequestPlace>) => {
      const { rows, values } = selectRequests(resellerId, filter, page);
      // Unnamed: each set of conditions is planned for its values.
      const text = `
      select r.id::text as id, k.id as "apiKeyId", k.name as "keyName", r.started_at as "startedAt", r.method,
             r.operation, r.status, r.request_count as "requestCount",
             (r.total_duration_us / r.request_count)::float8 as "meanDurationUs",
             r.max_duration_us as "maxDurationUs", r.request_id as "requestId"
        ${rows}
       order by r.started_at desc, r.id desc limit $2`;
      return db.query(statementOf(apiRequestRow)(text), values);
    },
    /** Unordered, so that it ends whatever the number of keys. */
    count: () => {
      const { rows, values } = selectRequests(resellerId, filter, countedPage);
      return countListed(db, { text: `select ${rows} limit $2` }, values);
    },
  };
}
