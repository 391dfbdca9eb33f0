import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import {
  as,
  bigint,
  boolean,
  int,
  jsonValue,
  nullable,
  oneOf,
  partialRecord,
  text,
  timestamp,
} from "#lib/db/connection/columns.ts";
import { defineAny, defineFindValue } from "#lib/db/connection/define.ts";
import { countedPage, countListed, listing, type PageInput } from "#lib/db/connection/listing.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import { BulkActorKind, BulkJobState } from "#lib/db/generated/enums.ts";
import {
  type BulkCounts,
  type BulkItemState,
  type BulkKind,
  bulkItemStates,
  bulkKinds,
  bulkKindTitles,
} from "#lib/domain/bulk.ts";
import type { BulkJobId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";

const storedJob = {
  id: as<BulkJobId>(int),
  resellerId: as<ResellerId>(int),
  kind: oneOf(bulkKinds),
  parameters: jsonValue,
  state: oneOf(BulkJobState),
  /** Its reseller is suspended: queued items wait. */
  paused: boolean,
  /** The provider accepts no more requests until then: queued items wait. */
  waitsUntil: nullable(timestamp),
  quotedTotal: bigint,
  currency: as<Currency>(text),
  resellerName: text,
  actorKind: oneOf(BulkActorKind),
  /** Null once that user is deleted. */
  userName: nullable(text),
  /** Acting as the reseller, too. */
  startedByAdmin: boolean,
  createdAt: timestamp,
  startedAt: nullable(timestamp),
  canceledAt: nullable(timestamp),
  finishedAt: nullable(timestamp),
  counts: partialRecord(oneOf(bulkItemStates), int),
  chargedTotal: bigint,
  /** Changes whose revert failed: they stay. */
  notReverted: int,
  /** Reverts that could not be made yet and are tried again. */
  postponedReverts: int,
  /** Why, of one of them. */
  postponedReason: nullable(text),
  nextRevertAt: nullable(timestamp),
  lastRevertAt: nullable(timestamp),
  /** Outcomes that an all-or-nothing job waits for. */
  awaited: int,
  /** Since when the first of them is unknown. */
  awaitedSince: nullable(timestamp),
};
type StoredJob = RowOf<typeof storedJob>;

/** Money in minor units of `currency`. */
export type BulkJobRow = Omit<StoredJob, "counts"> & { readonly counts: BulkCounts };

const isPaused = `
  j.state in ('queued', 'running') and j.canceled_at is null
  and r.suspended_at is not null`;

const query = `
  select j.id, j.reseller_id as "resellerId", j.kind, j.parameters, j.state, ${isPaused} as paused,
         case when j.state = 'running' and j.canceled_at is null and r.suspended_at is null then j.waits_until end as "waitsUntil",
         j.quoted_total as "quotedTotal", j.currency, r.name as "resellerName",
         j.actor_kind as "actorKind", u.name as "userName",
         j.actor_kind = 'admin' or (u.id is not null and u.reseller_id is null) as "startedByAdmin", j.created_at as "createdAt",
         j.started_at as "startedAt", j.canceled_at as "canceledAt", j.finished_at as "finishedAt",
         coalesce(items.counts, '{}') as counts, coalesce(items.charged, 0)::bigint as "chargedTotal",
         coalesce(items.not_reverted, 0)::int as "notReverted",
         coalesce(postponed.n, 0) as "postponedReverts", postponed.reason as "postponedReason",
         postponed.next_at as "nextRevertAt", postponed.last_at as "lastRevertAt",
         coalesce(awaited.n, 0) as awaited, awaited.since as "awaitedSince"
    from bulk_jobs j
    join resellers r on r.id = j.reseller_id
    left join users u on u.id = j.user_id
    left join lateral (
      select jsonb_object_agg(s.state, s.n) as counts, sum(s.charged) as charged, sum(s.not_reverted) as not_reverted
        from (select i.state, count(*)::int as n, sum(i.charged_amount) as charged,
                     count(*) filter (where i.state = 'failed' and i.revert_until is not null) as not_reverted
                from bulk_job_items i where i.job_id = j.id and i.reseller_id = j.reseller_id group by i.state) s
    ) items on true
    left join lateral (
      select count(*)::int as n, max(i.error_message) as reason, min(i.revert_at) as next_at, max(i.revert_until) as last_at
        from bulk_job_items i
       where i.job_id = j.id and i.reseller_id = j.reseller_id and i.state in ('succeeded', 'running') and i.revert_at is not null
    ) postponed on j.state = 'undoing'
    left join lateral (
      select count(*)::int as n, min(i.ended_at) as since
        from bulk_job_items i
       where i.job_id = j.id and i.reseller_id = j.reseller_id and i.state = 'pending' and bulk_item_is_awaited(i)
    ) awaited on j.state <> 'finished'`;

function read({ counts, ...row }: StoredJob): BulkJobRow {
  const all = Object.fromEntries(bulkItemStates.map((state) => [state, counts[state] ?? 0]));
  return { ...row, counts: all as Record<BulkItemState, number> };
}

const findBulkJobStatement = statement("find_bulk_job", storedJob)`${query} where j.id = $1 and j.reseller_id = $2`;

export async function findBulkJob(db: Database, resellerId: ResellerId, id: number): Promise<BulkJobRow | null> {
  const [row] = await db.query(findBulkJobStatement, [id, resellerId]);
  return row ? read(row) : null;
}

const listBulkJobsStatement = statement(
  "list_bulk_jobs",
  storedJob,
)`${query} where j.reseller_id = $1 and ($2::int is null or j.id < $2) and ($4::text is null or j.kind = $4) order by j.id desc limit $3`;

/** Newest first. `before`: older than this id; `kind` null: of all kinds. */
export function bulkJobListing(db: Database, resellerId: ResellerId, kind: BulkKind | null) {
  const { list, count } = listing(db, ({ before, limit }: PageInput<number>) => [
    listBulkJobsStatement,
    [resellerId, before, limit, kind],
  ]);
  return { list: async (page: PageInput<number>) => (await list(page)).map(read), count };
}

const listAllBulkJobsStatement = statement("list_all_bulk_jobs", storedJob)`
      ${query} where r.sandbox_of is null and ($1::int is null or j.id < $1) order by j.id desc limit $2`;

/** Unordered: sorting would read all of them. */
const allJobs = `select from bulk_jobs j join resellers r on r.id = j.reseller_id where r.sandbox_of is null limit $1`;

/** The same of all live resellers. */
export function allBulkJobListing(db: Database) {
  return {
    list: async ({ before, limit }: PageInput<number>) =>
      (await db.query(listAllBulkJobsStatement, [before, limit])).map(read),
    count: () => countListed(db, { text: allJobs }, [countedPage.limit]),
  };
}

export const findBulkJobOwner = defineFindValue("find_bulk_job_owner", { resellerId: as<ResellerId>(int) })<
  [id: number]
>`
      select reseller_id as "resellerId" from bulk_jobs where id = $1`;

/** A job that a user changes. */
export interface BulkJobChange {
  readonly id: BulkJobId;
  readonly resellerId: ResellerId;
  readonly kind: BulkKind;
  readonly by: ChangedBy;
}

/** Skips queued items; an all-or-nothing job starts undoing. False: no such running job. @param reason may be empty */
export const cancelBulkJob = defineAny("cancel_bulk_job").values(
  ({ id, resellerId, kind, by }: BulkJobChange, reason: string) => {
    return [id, resellerId, ...changeValues(by), bulkKindTitles[kind], reason];
  },
)`
      with job as (
        update bulk_jobs set canceled_at = $4
         where id = $1 and reseller_id = $2 and state in ('queued', 'running') and canceled_at is null returning id, reseller_id
      ), skipped as (
        update bulk_job_items i set state = 'skipped', error_code = 'canceled', error_message = 'Canceled before it began.', ended_at = $4
          from job where i.job_id = job.id and i.reseller_id = $2 and i.state = 'queued' returning 1
      )
      select wake_bulk_job(id, $4),
             write_audit_entry($3, 'bulk.cancel', reseller_id, 'bulk_job:' || id, $7,
               jsonb_build_object('items', (select count(*) from skipped)), $4, $5, $6)
        from job`;

/**
 * Of an all-or-nothing job that reverts or was canceled: postponed reverts are not tried again, so the items fail; unknown
 * outcomes are not waited for, and still recorded once known. False: there are neither.
 */
export const stopBulkReverts = defineAny("stop_bulk_reverts").values(({ id, resellerId, kind, by }: BulkJobChange) => {
  return [id, resellerId, ...changeValues(by), bulkKindTitles[kind]];
})`
      with job as (
        select id, reseller_id from bulk_jobs where id = $1 and reseller_id = $2
           and (state = 'undoing' or (state = 'running' and canceled_at is not null)) for update
      ), awaited as materialized (
        -- A settlement of several locks them in this order, before their items.
        select o.id from bulk_job_items i join operations o on o.id = i.operation_id and o.reseller_id = $2
         where i.job_id = $1 and i.reseller_id = $2 and i.state = 'pending' order by o.id for share of o
      ), stopped as (
        update bulk_job_items i set revert_at = null, revert_until = $4,
               state = case i.state when 'succeeded' then 'failed' else i.state end,
               error_code = case i.state when 'running' then i.error_code else 'stopped' end,
               error_message = case i.state when 'succeeded' then 'Not reverted: a user stopped the tries.'
                                            when 'pending' then 'A user stopped waiting for its outcome.' else i.error_message end
          from job, (select count(*) from awaited) locked where i.job_id = job.id and i.reseller_id = $2
           and ((i.state in ('succeeded', 'running') and i.revert_at is not null) or bulk_item_is_awaited(i))
        returning 1
      )
      select wake_bulk_job(id, $4),
             write_audit_entry($3, 'bulk.stop_reverts', reseller_id, 'bulk_job:' || id, '',
               jsonb_build_object('items', (select count(*) from stopped)), $4, $5, $6)
        from job where exists (select from stopped)`;

/**
 * Queues failed items again. False: no such finished job with these failures.
 * @param items with new prices; null keeps the old ones
 */
export const retryBulkJob = defineAny("retry_bulk_job").values(
  (
    { id, resellerId, kind, by }: BulkJobChange,
    items: readonly { readonly id: number; readonly price: bigint | null; readonly priceBefore: bigint }[],
  ) => [
    id,
    resellerId,
    ...changeValues(by),
    bulkKindTitles[kind],
    items.reduce((sum, { price, priceBefore }) => sum + (price ?? priceBefore) - priceBefore, 0n),
    JSON.stringify(items.map((item) => ({ id: item.id, price: item.price?.toString() ?? null }))),
  ],
)`
      with job as (
        update bulk_jobs j set state = 'queued', started_at = null, finished_at = null, canceled_at = null,
               quoted_total = j.quoted_total + $7
         where j.id = $1 and j.reseller_id = $2 and j.state = 'finished'
           and exists (select from bulk_job_items i where i.job_id = j.id and i.reseller_id = j.reseller_id and i.state = 'failed')
        returning j.id, j.reseller_id
      ), again as (
        update bulk_job_items i set state = 'queued', error_code = null, error_message = null, ended_at = null,
               input = case when priced.price is null then i.input else i.input || jsonb_build_object('price', priced.price) end
          from job, jsonb_to_recordset($8::jsonb) as priced (id int, price text)
         where i.job_id = job.id and i.reseller_id = $2 and i.state = 'failed' and i.id = priced.id returning 1
      )
      select wake_bulk_job(id, $4),
             write_audit_entry($3, 'bulk.retry', reseller_id, 'bulk_job:' || id, '',
               jsonb_build_object('items', (select count(*) from again)), $4, $5, $6)
        from job`;
