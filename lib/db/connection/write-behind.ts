import { createRequestLog, type RequestLog } from "#lib/db/request-log/request-log.ts";
import type { Database } from "./client.ts";
import { collectRows, columnsOf, writeLater } from "./collected-rows.ts";
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
/** Longer statements slow down concurrent requests. */
const ROWS_PER_STATEMENT = 40;
const MAX_COLLECTED = 50_000;

/** Commits asynchronously: a power failure loses no more here than in memory. */
const insertVerifications = statement("insert_verifications")`
    insert into verifications (reseller_id, license_id, seen_ip, code, checked_at)
    select v.* from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::timestamptz[]) v
     cross join (select set_config('synchronous_commit', 'off', true)) unsynced`;

const updateLastUsed = statement("update_last_used")`
    with used as materialized (
      select u.* from unnest($1::int[], $2::timestamptz[], $3::text[]) as u (id, used_at, source_address) join api_keys k on k.id = u.id
       where k.last_used_at is null or k.last_used_at <= u.used_at order by k.id for no key update of k
    )
    update api_keys k set last_used_at = u.used_at, last_used_from = u.source_address from used u where k.id = u.id`;

export function createWriteBehind(query: Database["query"]): WriteBehind {
  let lastUsed = new Map<number, { readonly usedAt: Date; readonly sourceAddress: string }>();
  const requests = createRequestLog(query);

  async function writeLastUsed(): Promise<void> {
    if (lastUsed.size === 0) return;
    const used = lastUsed;
    lastUsed = new Map();
    // May be lost during an outage: the key's next use repeats it.
    const columns = [[...used.keys()], ...columnsOf([...used.values()], "usedAt", "sourceAddress")];
    await query(updateLastUsed, columns).catch(() => {});
  }

  const later = writeLater(async () => {
    await verifications.write();
    await writeLastUsed();
  }, FLUSH_AFTER_MS);
  const verifications = collectRows<VerificationRecord>({
    insert: (batch) =>
      query(insertVerifications, columnsOf(batch, "resellerId", "licenseId", "seenIp", "code", "checkedAt")),
    rowsPerStatement: ROWS_PER_STATEMENT,
    atMost: MAX_COLLECTED,
    later,
  });

  return {
    verification: verifications.add,
    keyUsed(apiKeyId, usedAt, sourceAddress) {
      lastUsed.set(apiKeyId, { usedAt, sourceAddress });
      later.schedule();
    },
    requests,
    async flush() {
      await Promise.all([later.write(), requests.flush()]);
    },
    async close() {
      await Promise.all([later.close(), requests.close()]);
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
