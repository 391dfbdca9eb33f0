import type { Database } from "#lib/db/connection/client.ts";
import { statement } from "#lib/db/connection/statement.ts";

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
  /** A condition on the row `o` under which it is kept however old it is. */
  readonly unless?: string;
}

function deleteOld({ table, key, time, oldestBy, unless = "false" }: Kept): DeleteOld {
  const keys = key.join(", ");
  const old = oldestBy === "time" ? `o.${time} < $1 and` : "";
  const order = oldestBy === "time" ? time : keys;
  const remove = statement(`delete_old_${table}`)`
      delete from ${table} t using (
          select ${keys} from ${table} o where ${old} not (${unless}) order by ${order} limit $2 for update skip locked
        ) oldest
       where ${key.map((column) => `t.${column} = oldest.${column}`).join(" and ")} and t.${time} < $1 returning 1`;
  return async (db, before, limit) => (await db.query(remove, [before, limit])).length;
}

export const deleteIdempotencyRecords = deleteOld({
  table: "idempotency_records",
  key: ["reseller_id", "key"],
  time: "created_at",
  oldestBy: "time",
});
export const deleteAdminIdempotencyRecords = deleteOld({
  table: "admin_idempotency_records",
  key: ["user_id", "key"],
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
/** A host that nothing was sent to for a while has its whole allowance, as one without a row has. */
export const deleteWebhookTargets = deleteOld({
  table: "webhook_targets",
  key: ["address"],
  time: "spent_until",
  oldestBy: "time",
});
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
/** But for the newest of each provider, which says how it stands there. */
export const deleteComparisons = deleteOld({
  table: "provider_comparisons",
  key: ["id"],
  time: "started_at",
  oldestBy: "key",
  unless: "not exists (select from provider_comparisons n where n.provider = o.provider and n.id > o.id)",
});
/**
 * By the end of the term that they would have had: until then the provider may turn out to have done them after all. One
 * that did has a case, and stays with it: what the provider still holds would otherwise belong to nobody.
 */
export const deleteDiscardedRegistrations = deleteOld({
  table: "discarded_registrations",
  key: ["license_key"],
  time: "ends_at",
  oldestBy: "time",
  unless: "exists (select from reconciliation_cases c where c.operation_id = o.operation_id)",
});
