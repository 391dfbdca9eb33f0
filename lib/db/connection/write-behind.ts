import { createRequestLog, type RequestLog } from "#lib/db/request-log/request-log.ts";
import type { Database } from "./client.ts";
import { statement } from "./statement.ts";

export interface VerificationRecord {
  readonly resellerId: number;
  readonly licenseId: number | null;
  readonly seenIp: string;
  readonly code: string;
  readonly checkedAt: Date;
}

/** Records written later, many in one statement. */
export interface WriteBehind {
  verification(record: VerificationRecord): void;
  keyUsed(apiKeyId: number, usedAt: Date, sourceAddress: string): void;
  readonly requests: Pick<RequestLog, "add" | "count">;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_AFTER_MS = 250;
/** Full statements are written at once. Longer ones slow down concurrent requests. */
const ROWS_PER_STATEMENT = 40;
/** While the database is unavailable, the oldest records beyond this are dropped. */
const MAX_COLLECTED = 50_000;

/** Commits asynchronously: a power failure loses no more here than in memory. */
const insertVerifications = statement("insert_verifications")`
    insert into verifications (reseller_id, license_id, seen_ip, code, checked_at)
    select v.* from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::timestamptz[]) v
     cross join (select set_config('synchronous_commit', 'off', true)) unsynced`;

const updateLastUsed = statement("update_last_used")`
    update api_keys k set last_used_at = u.used_at, last_used_from = u.source_address
      from unnest($1::int[], $2::timestamptz[], $3::text[]) as u (id, used_at, source_address)
     where k.id = u.id and (k.last_used_at is null or k.last_used_at <= u.used_at)`;

export function createWriteBehind(query: Database["query"]): WriteBehind {
  let verifications: VerificationRecord[] = [];
  let lastUsed = new Map<number, { readonly usedAt: Date; readonly sourceAddress: string }>();
  const requests = createRequestLog(query);
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, FLUSH_AFTER_MS);
  };

  /** Only the records collected so far: later ones fill the next statement. */
  async function writeVerifications(): Promise<void> {
    for (let left = verifications.length; left > 0; left -= ROWS_PER_STATEMENT) {
      const batch = verifications.splice(0, Math.min(left, ROWS_PER_STATEMENT));
      const columns = [
        batch.map((v) => v.resellerId),
        batch.map((v) => v.licenseId),
        batch.map((v) => v.seenIp),
        batch.map((v) => v.code),
        batch.map((v) => v.checkedAt),
      ];
      try {
        await query(insertVerifications, columns);
      } catch {
        verifications = [...batch, ...verifications].slice(-MAX_COLLECTED);
        schedule();
        return;
      }
    }
  }

  async function writeLastUsed(): Promise<void> {
    if (lastUsed.size === 0) return;
    const used = lastUsed;
    lastUsed = new Map();
    // May be lost during an outage: the key's next use repeats it.
    const uses = [...used.values()];
    const columns = [uses.map(({ usedAt }) => usedAt), uses.map(({ sourceAddress }) => sourceAddress)];
    await query(updateLastUsed, [[...used.keys()], ...columns]).catch(() => {});
  }

  function flush(): Promise<void> {
    writing = writing.then(writeVerifications).then(writeLastUsed);
    return writing;
  }

  return {
    verification(record) {
      if (verifications.length >= MAX_COLLECTED) verifications.shift();
      verifications.push(record);
      if (verifications.length === ROWS_PER_STATEMENT) writing = writing.then(writeVerifications);
      else schedule();
    },
    keyUsed(apiKeyId, usedAt, sourceAddress) {
      lastUsed.set(apiKeyId, { usedAt, sourceAddress });
      schedule();
    },
    requests,
    async flush() {
      await Promise.all([flush(), requests.flush()]);
    },
    async close() {
      if (timer) clearTimeout(timer);
      timer = null;
      await Promise.all([flush(), requests.close()]);
      if (timer) clearTimeout(timer);
    },
  };
}

/** Safe mode writes nothing. */
export const discardingWriteBehind: WriteBehind = {
  verification: () => undefined,
  keyUsed: () => undefined,
  requests: { add: () => undefined, count: () => undefined },
  flush: async () => undefined,
  close: async () => undefined,
};
