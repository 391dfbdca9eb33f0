import type { Database } from "#lib/db/connection/client.ts";
import { as, boolean, int, jsonValue, nullable, oneOf, text } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineListValues, defineRun } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import { operationColumns, operationRow } from "#lib/db/operation/operation.ts";
import type { BulkKind } from "#lib/domain/bulk.ts";
import type { DomainError } from "#lib/domain/errors.ts";
import type { BulkItemId, BulkJobId, ResellerId, UserId } from "#lib/domain/ids.ts";
import { adminRoleNames, resellerRoleNames } from "#lib/domain/roles.ts";

/** Queued while its reseller is suspended: it waits until the suspension ends or the job is canceled. */
const isWaiting = `
  j.state = 'queued' and j.canceled_at is null
  and exists (select from resellers r where r.id = j.reseller_id and r.suspended_at is not null)`;

const claimedBulkJob = {
  id: as<BulkJobId>(int),
  resellerId: as<ResellerId>(int),
  /** Another version may have stored one that this one lacks. */
  kind: as<BulkKind>(text),
  parameters: jsonValue,
  actorKind: oneOf(["reseller_user", "admin"]),
  userId: as<UserId>(int),
  /** Set for an admin, who with the kind `reseller_user` acts as the reseller. */
  adminRole: nullable(oneOf(adminRoleNames)),
  userRole: oneOf(resellerRoleNames),
  isSandbox: boolean,
  userDisabled: boolean,
};
export type ClaimedBulkJob = RowOf<typeof claimedBulkJob>;

/** Null: it has ended, waits for the end of a suspension, or another process owns it. */
export const claimBulkJob = defineFind("claim_bulk_job", claimedBulkJob).values(
  (lease: Lease, id: number, now: Date) => [id, lease.ownerId, lease.token, now],
)`
      update bulk_jobs j set owner_id = $2, lease_token = $3, started_at = coalesce(j.started_at, $4),
             state = case j.state when 'queued' then 'running' else j.state end
       where j.id = $1 and j.state <> 'finished' and j.owner_id is null and not (${isWaiting})
      returning j.id, j.reseller_id as "resellerId", j.kind, j.parameters, j.actor_kind as "actorKind", j.user_id as "userId",
                (select u.role from users u where u.id = j.user_id and u.reseller_id is null) as "adminRole",
                coalesce((select u.role from users u where u.id = j.user_id and u.reseller_id is not null), 'owner') as "userRole",
                exists (select from resellers r where r.id = j.reseller_id and r.sandbox_of is not null) as "isSandbox",
                exists (select from users u where u.id = j.user_id and u.disabled_at is not null) as "userDisabled"`;

const startedBulkItem = {
  id: as<BulkItemId>(int),
  licenseId: nullable(int),
  bundleInstanceId: nullable(int),
  input: jsonValue,
  undoing: boolean,
};
export type StartedBulkItem = RowOf<typeof startedBulkItem>;

/** Makes this process the owner again after its lease lapsed. False: another claim has replaced this one. */
export const reclaimBulkJob = defineAny("reclaim_bulk_job").values((lease: Lease, id: number) => [
  lease.ownerId,
  lease.token,
  id,
])`update bulk_jobs set owner_id = $1 where id = $3 and lease_token = $2 and state <> 'finished' returning id`;

/** Null: nothing to do now, or the lease is lost. */
export const beginBulkItem = defineFind("begin_bulk_item", startedBulkItem).values(
  (lease: Lease, jobId: BulkJobId, { allOrNothing, now }: { readonly allOrNothing: boolean; readonly now: Date }) => [
    jobId,
    lease.token,
    allOrNothing,
    now,
  ],
)`
      select (b.item).id, (b.item).license_id as "licenseId", (b.item).bundle_instance_id as "bundleInstanceId",
             (b.item).input, b.undoing
        from begin_bulk_item($1, $2, $3, $4) b`;

/** With an operation, its state decides. */
export interface BulkItemEnd {
  readonly state: "succeeded" | "undone" | "failed" | "skipped";
  readonly code: string | null;
  readonly message: string | null;
  readonly operationId: string | null;
}

/** False if the lease is lost, then it does nothing: its new owner ends the item. */
export const endBulkItem = defineAny("end_bulk_item").values(
  (lease: Lease, itemId: BulkItemId, end: BulkItemEnd, now: Date) => {
    return [itemId, lease.token, end.state, end.code, end.message, end.operationId, now];
  },
)`select from end_bulk_item($1, $2, $3::bulk_item_state, $4, $5, $6, $7) is_recorded where is_recorded`;

/** Reverts it later, or records that it is not reverted. Does nothing if the lease is lost. */
export const postponeBulkItem = defineRun("postpone_bulk_item").values(
  (lease: Lease, itemId: BulkItemId, { code, message }: Pick<DomainError, "code" | "message">, now: Date) => {
    return [itemId, lease.token, code, message, now];
  },
)`select postpone_bulk_item($1, $2, $3, $4, $5)`;

/**
 * Requeues an item that has changed nothing, and with `waitsUntil` lets the job wait until then. Does nothing if the
 * lease is lost. The queue job has a key of its own: it delays no other turn of the reseller, and replaces no other job's
 * wake-up.
 */
export const requeueBulkItem = defineRun("requeue_bulk_item").values(
  (lease: Lease, itemId: BulkItemId, waitsUntil: Date | null) => [itemId, lease.token, waitsUntil],
)`
      with job as (
        update bulk_jobs j set waits_until = coalesce($3::timestamptz, j.waits_until) from bulk_job_items i
         where i.id = $1 and i.state = 'running' and j.id = i.job_id and j.reseller_id = i.reseller_id and j.lease_token = $2
        returning j.id, j.reseller_id
      ), requeued as (
        update bulk_job_items i set state = 'queued' from job where i.id = $1 and i.job_id = job.id and i.reseller_id = job.reseller_id
      )
      select wake_worker('run_bulk_jobs', json_build_object('resellerId', reseller_id, 'after', id), $3,
                         'run_bulk_jobs:' || reseller_id || ':wait:' || id)
        from job where $3 is not null`;

/** Releases the lease and queues the rest, so that other resellers get their turn. */
export const yieldBulkJob = defineRun("yield_bulk_job").values((lease: Lease, id: number, now: Date) => [
  id,
  lease.token,
  now,
])`
      with job as (
        update bulk_jobs set owner_id = null where id = $1 and lease_token = $2 and owner_id is not null returning id
      )
      select wake_bulk_job(id, $3) from job`;

const closeBulkJobStatement = statement("close_bulk_job", { ended: boolean })`
      with standing as (
        select not exists (select from bulk_jobs j join bulk_job_items i on i.job_id = j.id and i.reseller_id = j.reseller_id where j.id = $1
                            and (i.state in ('queued', 'running') or ($3 and bulk_item_is_awaited(i))
                                 or (j.state = 'undoing' and i.state = 'succeeded'))) as ended
      )
      update bulk_jobs j set owner_id = null,
             state = case when s.ended then 'finished' else j.state end,
             finished_at = case when s.ended then $4::timestamptz end
        from standing s where j.id = $1 and j.lease_token = $2 and j.state <> 'finished' returning s.ended`;

/** Releases the lease, and finishes the job unless it waits. Returns whether it has finished. */
export async function closeBulkJob(
  db: Database,
  lease: Lease,
  id: BulkJobId,
  { allOrNothing, now }: { readonly allOrNothing: boolean; readonly now: Date },
): Promise<boolean> {
  return (await findRow(db, closeBulkJobStatement, [id, lease.token, allOrNothing, now]))?.ended ?? false;
}

/** A reseller's unfinished jobs without an owner: ids above `after` first, then by id. */
export const listFreeBulkJobs = defineListValues("list_free_bulk_jobs", { id: as<BulkJobId>(int) })<
  [resellerId: ResellerId, after: number]
>`
      select j.id from bulk_jobs j
            where j.reseller_id = $1 and j.state <> 'finished' and j.owner_id is null and not (${isWaiting})
            order by j.id <= $2, j.id`;

export const wakeBulkJob = defineRun("wake_bulk_job")<[id: number, now: Date]>`
      select wake_bulk_job($1, $2)`;

const wakeBulkJobsStatement = statement("wake_bulk_jobs", { jobs: int })`
      with dropped as (
        select j.reseller_id, count(*)::int as jobs from bulk_jobs j
         where j.state <> 'finished' and j.owner_id is null and not (${isWaiting}) group by j.reseller_id
      )
      select jobs, wake_reseller('run_bulk_jobs', reseller_id, $1) from dropped`;

/** Wakes a worker for each unfinished job without an owner; returns their number. */
export async function wakeBulkJobs(db: Database, now: Date): Promise<number> {
  const rows = await db.query(wakeBulkJobsStatement, [now]);
  return rows.reduce((sum, { jobs }) => sum + jobs, 0);
}

/** The operation that a request started, unless it was rejected. */
export const findOperationOfRequest = defineFind("find_operation_of_request", operationRow)<[requestId: string]>`
      select ${operationColumns} from operations
          where request_id = $1 and request_id like 'bulk:%' and not rejected`;
