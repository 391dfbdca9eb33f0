import type { Database } from "#lib/db/connection/client.ts";
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
  readonly minuteMs: number;
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
/** While the database is unavailable, the oldest beyond this are dropped. */
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

export function createRequestLog(query: Database["query"]): RequestLog {
  let requests: RequestRecord[] = [];
  let sums = new Map<number, MinuteSum[]>();
  let sumCount = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, FLUSH_AFTER_MS);
  };

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

  async function writeRequests(): Promise<void> {
    for (let left = requests.length; left > 0; left -= ROWS_PER_STATEMENT) {
      const batch = requests.splice(0, Math.min(left, ROWS_PER_STATEMENT));
      try {
        await query(insertRequests, requestColumns(batch));
      } catch {
        requests = [...batch, ...requests].slice(-MAX_COLLECTED);
        schedule();
        return;
      }
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
        await query(upsertMinutes, sumColumns(batch));
      } catch {
        for (const sum of collected.slice(from)) addSum(sum);
        schedule();
        return;
      }
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(writeRequests).then(writeSums);
    return writing;
  }

  return {
    add(record) {
      if (requests.length >= MAX_COLLECTED) requests.shift();
      requests.push(record);
      if (requests.length === ROWS_PER_STATEMENT) writing = writing.then(writeRequests);
      else schedule();
    },
    count({ apiKeyId, startedAt, method, operation, status, durationUs }) {
      const startedAtMs = startedAt.getTime();
      const minuteMs = startedAtMs - (startedAtMs % MINUTE_MS);
      addSum({ apiKeyId, minuteMs, method, operation, status, count: 1, totalUs: durationUs, maxUs: durationUs });
      schedule();
    },
    flush,
    async close() {
      if (timer) clearTimeout(timer);
      timer = null;
      await flush();
      if (timer) clearTimeout(timer);
    },
  };
}

function isSame(a: MinuteSum, b: MinuteSum): boolean {
  return a.minuteMs === b.minuteMs && a.operation === b.operation && a.status === b.status && a.method === b.method;
}

function inOrder(a: MinuteSum, b: MinuteSum): number {
  return (
    a.apiKeyId - b.apiKeyId ||
    a.minuteMs - b.minuteMs ||
    a.status - b.status ||
    a.operation.localeCompare(b.operation) ||
    a.method.localeCompare(b.method)
  );
}

function requestColumns(batch: readonly RequestRecord[]): unknown[] {
  return [
    batch.map((r) => r.apiKeyId),
    batch.map((r) => r.startedAt),
    batch.map((r) => r.method),
    batch.map((r) => r.operation),
    batch.map((r) => r.status),
    batch.map((r) => r.durationUs),
    batch.map((r) => r.requestId),
  ];
}

function sumColumns(batch: readonly MinuteSum[]): unknown[] {
  return [
    batch.map((s) => s.apiKeyId),
    batch.map((s) => new Date(s.minuteMs)),
    batch.map((s) => s.method),
    batch.map((s) => s.operation),
    batch.map((s) => s.status),
    batch.map((s) => s.count),
    batch.map((s) => s.totalUs),
    batch.map((s) => s.maxUs),
  ];
}
