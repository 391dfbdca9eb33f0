import type { Database } from "#lib/db/connection/client.ts";
import { collectRows, columnsOf, writeLater } from "#lib/db/connection/collected-rows.ts";
import { statement } from "#lib/db/connection/statement.ts";

/** One answered request under an API key. */
export interface RequestRecord {
  readonly apiKeyId: number;
  readonly startedAt: Date;
  readonly method: string;
  /** The endpoint's name; empty if none was found. */
  readonly operation: string;
  readonly status: number;
  readonly durationUs: number;
  readonly requestId: string;
}

/** Requests collected for the request log and written later. */
export interface RequestLog {
  /** Adds a row. */
  add(record: RequestRecord): void;
  /** Counts into the row of its minute. */
  count(record: RequestRecord): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Identical responses to a key within a minute. */
interface MinuteSum {
  readonly apiKeyId: number;
  readonly minute: Date;
  readonly method: string;
  readonly operation: string;
  readonly status: number;
  count: number;
  totalUs: number;
  maxUs: number;
}

const MINUTE_MS = 60_000;
/** Longer than for verifications, because every flush rewrites the current minutes' rows. */
const FLUSH_AFTER_MS = 1_000;
const ROWS_PER_STATEMENT = 100;
const MAX_COLLECTED = 20_000;

const insertRequests = statement("insert_api_requests")`
  insert into api_requests (api_key_id, started_at, method, operation, status, total_duration_us, max_duration_us, request_id)
  select api_key_id, started_at, method, operation, status, duration_us, duration_us, request_id
    from unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::smallint[], $6::int[], $7::text[])
      as u (api_key_id, started_at, method, operation, status, duration_us, request_id)`;

const upsertMinutes = statement("upsert_api_request_minutes")`
  insert into api_requests as r (api_key_id, started_at, method, operation, status, request_count, total_duration_us, max_duration_us)
  select * from unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::smallint[], $6::int[], $7::bigint[], $8::int[])
  on conflict (api_key_id, operation, method, status, started_at) where request_id is null do update
    set request_count = r.request_count + excluded.request_count,
        total_duration_us = r.total_duration_us + excluded.total_duration_us,
        max_duration_us = greatest(r.max_duration_us, excluded.max_duration_us)`;

const requestColumns = [
  "apiKeyId",
  "startedAt",
  "method",
  "operation",
  "status",
  "durationUs",
  "requestId",
] as const satisfies readonly (keyof RequestRecord)[];
const sumColumns = [
  "apiKeyId",
  "minute",
  "method",
  "operation",
  "status",
  "count",
  "totalUs",
  "maxUs",
] as const satisfies readonly (keyof MinuteSum)[];

export function createRequestLog(query: Database["query"]): RequestLog {
  let sums = new Map<number, MinuteSum[]>();
  let sumCount = 0;

  function addSum(sum: MinuteSum): void {
    const ofKey = sums.get(sum.apiKeyId);
    const known = ofKey?.find((candidate) => isSame(candidate, sum));
    if (known) {
      known.count += sum.count;
      known.totalUs += sum.totalUs;
      known.maxUs = Math.max(known.maxUs, sum.maxUs);
    } else if (sumCount < MAX_COLLECTED) {
      sumCount += 1;
      if (ofKey) ofKey.push(sum);
      else sums.set(sum.apiKeyId, [sum]);
    }
  }

  async function writeSums(): Promise<void> {
    // One order across instances, so that two of them writing the same rows cannot deadlock.
    const collected = [...sums.values()].flat().toSorted(inOrder);
    sums = new Map();
    sumCount = 0;
    for (let from = 0; from < collected.length; from += ROWS_PER_STATEMENT) {
      const batch = collected.slice(from, from + ROWS_PER_STATEMENT);
      try {
        await query(upsertMinutes, columnsOf(batch, ...sumColumns));
      } catch {
        for (const sum of collected.slice(from)) addSum(sum);
        later.schedule();
        return;
      }
    }
  }

  const later = writeLater(async () => {
    await requests.write();
    await writeSums();
  }, FLUSH_AFTER_MS);
  const requests = collectRows<RequestRecord>({
    insert: (batch) => query(insertRequests, columnsOf(batch, ...requestColumns)),
    rowsPerStatement: ROWS_PER_STATEMENT,
    atMost: MAX_COLLECTED,
    later,
  });

  return {
    add: requests.add,
    count({ apiKeyId, startedAt, method, operation, status, durationUs }) {
      const minute = new Date(startedAt.getTime() - (startedAt.getTime() % MINUTE_MS));
      addSum({ apiKeyId, minute, method, operation, status, count: 1, totalUs: durationUs, maxUs: durationUs });
      later.schedule();
    },
    flush: () => later.write(),
    close: later.close,
  };
}

function isSame(a: MinuteSum, b: MinuteSum): boolean {
  return (
    a.minute.getTime() === b.minute.getTime() &&
    a.operation === b.operation &&
    a.status === b.status &&
    a.method === b.method
  );
}

function inOrder(a: MinuteSum, b: MinuteSum): number {
  return (
    a.apiKeyId - b.apiKeyId ||
    a.minute.getTime() - b.minute.getTime() ||
    a.status - b.status ||
    a.operation.localeCompare(b.operation) ||
    a.method.localeCompare(b.method)
  );
}
