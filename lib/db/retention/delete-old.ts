import type { Database } from "#lib/db/connection/client.ts";
import { int } from "#lib/db/connection/columns.ts";
import { defineGetValue } from "#lib/db/connection/define.ts";
import { statement } from "#lib/db/connection/statement.ts";
import { keptByOperation } from "#lib/db/idempotency/key.ts";

/** Deletes up to `limit` rows from before `before`, oldest first, with their dependents. Returns their number. */
export type DeleteOld = (db: Database, before: Date, limit: number) => Promise<number>;

interface Kept {
  readonly table: string;
  /** Of the statement; default: the table's. */
  readonly name?: string;
  readonly key: readonly string[];
  /** A column, or an expression over columns. */
  readonly time: string;
  /**
   * How to find the oldest rows: by an index on the time, the default, or by a key that grows with it. By the key, at
   * most `limit` rows are read, whatever their age.
   */
  readonly oldestBy?: "time" | "key";
  /** A condition on the row `o` that keeps it at any age. */
  readonly unless?: string;
}

function deleteOld({ table, name = table, key, time, oldestBy = "time", unless = "false" }: Kept): DeleteOld {
  const keys = key.join(", ");
  const old = oldestBy === "time" ? `${time} < $1 and` : "";
  const order = oldestBy === "time" ? time : keys;
  const remove = statement(`delete_old_${name}`)`
      with oldest as materialized (
        select ${keys} from ${table} o where ${old} not (${unless}) order by ${order} limit $2 for update skip locked
      )
      delete from ${table} t using oldest
       where ${key.map((column) => `t.${column} = oldest.${column}`).join(" and ")} and ${time} < $1 returning 1`;
  return async (db, before, limit) => (await db.query(remove, [before, limit])).length;
}

export const deleteIdempotencyRecords = deleteOld({
  table: "idempotency_records",
  key: ["reseller_id", "key"],
  time: "created_at",
  unless: keptByOperation("o"),
});
export const deleteAdminIdempotencyRecords = deleteOld({
  table: "admin_idempotency_records",
  key: ["user_id", "key"],
  time: "created_at",
});
/** A server is deleted with its newest report. */
export const deleteReports = deleteOld({
  table: "diagnostics_reports",
  key: ["id"],
  time: "reported_at",
  oldestBy: "key",
});
/**
 * With their webhook deliveries and attempts. Keeps failures to renew a term that ends after `before`: until its end the
 * worker retries, and reports each once (`renewalFailureKey`).
 */
export const deleteEvents = deleteOld({
  table: "events",
  key: ["id"],
  time: "occurred_at",
  unless: `o.kind = 'license.renewal_failed' and o.once_key is not null and exists (
             select from licenses l
              where l.id = o.license_id and l.reseller_id = o.reseller_id and l.expires_at > $1 and l.terminated_at is null
                and starts_with(o.once_key, 'license.renewal_failed:' || l.id || ':'
                                || to_char(l.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z:"')))`,
});
export const deleteUsedSignatures = deleteOld({
  table: "used_signatures",
  key: ["api_key_id", "signature"],
  time: "used_at",
});
/** A missing row means a full allowance. */
export const deleteWebhookTargets = deleteOld({ table: "webhook_targets", key: ["address"], time: "spent_until" });
/** By their end, whatever ended them. */
export const deleteEndedSessions = deleteOld({
  table: "sessions",
  key: ["id"],
  time: "least(expires_at, idle_at, revoked_at)",
});
export const deleteSignInAttempts = deleteOld({ table: "sign_in_attempts", key: ["key"], time: "last_at" });
export const deletePendingSignIns = deleteOld({ table: "pending_sign_ins", key: ["token_hash"], time: "expires_at" });
export const deleteMails = deleteOld({ table: "mails", key: ["id"], time: "created_at", oldestBy: "key" });
export const deleteEmailChanges = deleteOld({ table: "email_changes", key: ["user_id"], time: "expires_at" });
export const deleteAccessLinks = deleteOld({ table: "access_links", key: ["token_hash"], time: "expires_at" });
export const deleteUsedChallenges = deleteOld({ table: "used_challenges", key: ["hash"], time: "expires_at" });
/** With their items, by when they finished. */
export const deleteBulkJobs = deleteOld({ table: "bulk_jobs", key: ["id"], time: "finished_at" });
/** Nobody runs what is unfinished there. By when the sandbox was closed. */
export const deleteJobsOfClosedSandboxes = deleteOld({
  name: "jobs_of_closed_sandboxes",
  table: "bulk_jobs",
  key: ["id"],
  time: "(select r.sandbox_closed_at from resellers r where r.id = reseller_id)",
  unless: "o.state = 'finished'",
});
/** Except each provider's newest that has finished, which the dashboard shows. */
export const deleteComparisons = deleteOld({
  table: "provider_comparisons",
  key: ["id"],
  time: "started_at",
  oldestBy: "key",
  unless:
    "not exists (select from provider_comparisons n where n.provider = o.provider and n.id > o.id and n.finished_at is not null)",
});
/**
 * By the end of the term that they would have had: until then the provider may carry out the registration. Keeps those
 * with a case, because the provider holds their license.
 */
export const deleteDiscardedRegistrations = deleteOld({
  table: "discarded_registrations",
  key: ["license_key"],
  time: "ends_at",
  unless: "exists (select from reconciliation_cases c where c.operation_id = o.operation_id)",
});

const clearKeyAddressesStatement = statement("clear_key_addresses")`
      with ended as materialized (
        select k.id from api_keys k
         where k.last_used_from is not null and least(k.expires_at, k.revoked_at) < $1
         order by k.id limit $2 for update skip locked
      )
      update api_keys k set last_used_from = null from ended e where k.id = e.id returning 1`;

/** Clears where keys were last used from that ended before `before`. Returns their number. */
export const clearKeyAddresses: DeleteOld = async (db, before, limit) =>
  (await db.query(clearKeyAddressesStatement, [before, limit])).length;

/** Jobs of the queue that are not tried again. */
export const deleteFailedJobs: DeleteOld = defineGetValue("delete_failed_jobs", { deleted: int })<
  [before: Date, limit: number]
>`select delete_failed_jobs($1, $2) as deleted`;
