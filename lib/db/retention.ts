import type { Database } from "./client.ts";

/** Deletes up to `limit` idempotency records from before `createdBefore`; returns how many. */
export async function deleteIdempotencyRecords(db: Database, createdBefore: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: "delete_idempotency_records",
    text: `
      delete from idempotency_records i using (
          select reseller_id, key from idempotency_records where created_at < $1
           order by created_at limit $2 for update skip locked
        ) old
       where i.reseller_id = old.reseller_id and i.key = old.key returning 1`,
    values: [createdBefore, limit],
  });
  return rows.length;
}

/**
 * Deletes those of the `limit` oldest verifications that are from before `checkedBefore`; returns how many. Ids grow
 * with time, so the oldest are found by the primary key, and nothing is read when none is old enough.
 */
export async function deleteVerifications(db: Database, checkedBefore: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: "delete_verifications",
    text: `
      delete from verifications v using (
          select id from verifications order by id limit $2 for update skip locked
        ) oldest
       where v.id = oldest.id and v.checked_at < $1 returning 1`,
    values: [checkedBefore, limit],
  });
  return rows.length;
}

/** The same of the request log. */
export async function deleteApiRequests(db: Database, startedBefore: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: "delete_api_requests",
    text: `
      delete from api_requests r using (
          select id from api_requests order by id limit $2 for update skip locked
        ) oldest
       where r.id = oldest.id and r.started_at < $1 returning 1`,
    values: [startedBefore, limit],
  });
  return rows.length;
}

/** The same of what agents report; a server goes with its newest report. */
export async function deleteReports(db: Database, reportedBefore: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: "delete_reports",
    text: `
      delete from diagnostics_reports r using (
          select id from diagnostics_reports order by id limit $2 for update skip locked
        ) oldest
       where r.id = oldest.id and r.reported_at < $1 returning 1`,
    values: [reportedBefore, limit],
  });
  return rows.length;
}

/**
 * Deletes up to `limit` events from before `occurredBefore`, with their webhook deliveries and attempts; returns how many.
 * Oldest first, found by an index of their own.
 */
export async function deleteEvents(db: Database, occurredBefore: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: "delete_events",
    text: `
      delete from events v using (
          select id from events where occurred_at < $1 order by occurred_at limit $2 for update skip locked
        ) old
       where v.id = old.id returning 1`,
    values: [occurredBefore, limit],
  });
  return rows.length;
}

/** Deletes up to `limit` sessions whose time was over before `expiredBefore`; returns how many. */
export async function deleteEndedSessions(db: Database, expiredBefore: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: "delete_ended_sessions",
    text: `
      delete from sessions s using (
          select id from sessions where expires_at < $1 order by expires_at limit $2 for update skip locked
        ) old
       where s.id = old.id returning 1`,
    values: [expiredBefore, limit],
  });
  return rows.length;
}

/** Deletes up to `limit` counts of wrong passwords that count no more; returns how many. */
export async function deleteSignInAttempts(db: Database, lastBefore: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: "delete_sign_in_attempts",
    text: `
      delete from sign_in_attempts a using (
          select key from sign_in_attempts where last_at < $1 order by last_at limit $2 for update skip locked
        ) old
       where a.key = old.key returning 1`,
    values: [lastBefore, limit],
  });
  return rows.length;
}

/** Deletes up to `limit` bulk jobs that ended before `finishedBefore`, with their items; returns how many. */
export async function deleteBulkJobs(db: Database, finishedBefore: Date, limit: number): Promise<number> {
  const rows = await db.query({
    name: "delete_bulk_jobs",
    text: `
      delete from bulk_jobs j using (
          select id from bulk_jobs where finished_at < $1 order by finished_at limit $2 for update skip locked
        ) old
       where j.id = old.id returning 1`,
    values: [finishedBefore, limit],
  });
  return rows.length;
}
