import type { Database } from "./client.ts";

/** Deletes up to `limit` rows from before `before`, oldest first; returns how many. What hangs on a row goes with it. */
export type DeleteOld = (db: Database, before: Date, limit: number) => Promise<number>;

interface Kept {
  readonly table: string;
  /** The primary key. */
  readonly key: readonly string[];
  /** The column that says how old a row is. */
  readonly time: string;
  /**
   * How the oldest rows are found: by an index on the time, or by a key that grows with it. By the key, the `limit`
   * oldest are looked at whatever their age, so nothing more is read when none is old enough.
   */
  readonly oldestBy: "time" | "key";
}

function deleteOld({ table, key, time, oldestBy }: Kept): DeleteOld {
  const keys = key.join(", ");
  const oldest = oldestBy === "time" ? `where ${time} < $1 order by ${time}` : `order by ${keys}`;
  const text = `
      delete from ${table} t using (
          select ${keys} from ${table} ${oldest} limit $2 for update skip locked
        ) oldest
       where ${key.map((column) => `t.${column} = oldest.${column}`).join(" and ")} and t.${time} < $1 returning 1`;
  return async (db, before, limit) =>
    (await db.query({ name: `delete_old_${table}`, text, values: [before, limit] })).length;
}

export const deleteIdempotencyRecords = deleteOld({
  table: "idempotency_records",
  key: ["reseller_id", "key"],
  time: "created_at",
  oldestBy: "time",
});
export const deleteVerifications = deleteOld({
  table: "verifications",
  key: ["id"],
  time: "checked_at",
  oldestBy: "key",
});
export const deleteApiRequests = deleteOld({
  table: "api_requests",
  key: ["id"],
  time: "started_at",
  oldestBy: "key",
});
/** What agents reported; a server goes with its newest report. */
export const deleteReports = deleteOld({
  table: "diagnostics_reports",
  key: ["id"],
  time: "reported_at",
  oldestBy: "key",
});
/** With their webhook deliveries and attempts. */
export const deleteEvents = deleteOld({ table: "events", key: ["id"], time: "occurred_at", oldestBy: "time" });
/** By when their time was over. */
export const deleteEndedSessions = deleteOld({ table: "sessions", key: ["id"], time: "expires_at", oldestBy: "time" });
export const deleteSignInAttempts = deleteOld({
  table: "sign_in_attempts",
  key: ["key"],
  time: "last_at",
  oldestBy: "time",
});
/** With their items; by when they ended, and never one that has not. */
export const deleteBulkJobs = deleteOld({ table: "bulk_jobs", key: ["id"], time: "finished_at", oldestBy: "time" });
