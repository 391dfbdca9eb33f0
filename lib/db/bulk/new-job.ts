import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, int } from "#lib/db/connection/columns.ts";
import { defineFindValue } from "#lib/db/connection/define.ts";
import { statement } from "#lib/db/connection/statement.ts";
import { type BulkKind, bulkKindTitles } from "#lib/domain/bulk.ts";
import type { BulkJobId, ResellerId, UserId } from "#lib/domain/ids.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";

/** `skipped` items are listed in the results, but never run. */
export interface NewBulkItem {
  readonly licenseId?: number;
  readonly bundleInstanceId?: number;
  /** Plain JSON. `price`: the item's maximum cost, in minor units as decimal text. */
  readonly input?: unknown;
  readonly skipped?: { readonly code: string; readonly message: string };
}

export interface NewBulkJob {
  readonly resellerId: ResellerId;
  readonly kind: BulkKind;
  /** Plain JSON of the kind's schema. */
  readonly parameters: unknown;
  /** Highest total, as quoted: minor units of `currency`. */
  readonly quotedTotal: bigint;
  readonly currency: Currency;
  readonly actorKind: "reseller_user" | "admin";
  readonly userId: UserId;
  readonly idempotencyKey: string | null;
  /** In execution order. */
  readonly items: readonly NewBulkItem[];
}

const insertBulkJobStatement = statement("insert_bulk_job", { id: as<BulkJobId>(int) })`
      with job as (
        insert into bulk_jobs (reseller_id, kind, parameters, quoted_total, currency, actor_kind, user_id, idempotency_key, created_at)
        select $1, $2, $3::jsonb, $4, $5, $6::bulk_actor_kind, $7, $8, $12 where has_room('bulk_jobs', $1, $15, $12)
        on conflict (reseller_id, idempotency_key) do nothing returning id
      ), items as (
        insert into bulk_job_items (job_id, reseller_id, position, license_id, bundle_instance_id, input, state, error_code, error_message,
                                    ended_at)
        select job.id, $1, i.position, i.license_id, i.bundle_instance_id, i.input,
               case when i.code is null then 'queued' else 'skipped' end::bulk_item_state, i.code, i.message,
               case when i.code is not null then $12::timestamptz end
          from job, rows from (jsonb_to_recordset($9::jsonb) as
                 (license_id int, bundle_instance_id int, input jsonb, code text, message text)) with ordinality
               as i (license_id, bundle_instance_id, input, code, message, position)
      )
      select id, wake_bulk_job(id, $12),
             write_audit_entry($11, 'bulk.start', $1, 'bulk_job:' || id, '', $10::jsonb, $12, $13, $14)
        from job`;

/**
 * Stores a job with its items and audit entry, and wakes a worker. Returns the existing job if its idempotency key has
 * been used. Null: the reseller has `limit` unfinished jobs (null: any number).
 */
export async function insertBulkJob(
  db: Database,
  job: NewBulkJob,
  limit: number | null,
  by: ChangedBy,
): Promise<BulkJobId | null> {
  const { resellerId, idempotencyKey, currency } = job;
  const items = job.items.map(({ licenseId, bundleInstanceId, input = {}, skipped }) => ({
    license_id: licenseId ?? null,
    bundle_instance_id: bundleInstanceId ?? null,
    input,
    code: skipped?.code ?? null,
    message: skipped?.message ?? null,
  }));
  const [added] = await db.query(insertBulkJobStatement, [
    resellerId,
    job.kind,
    JSON.stringify(job.parameters),
    job.quotedTotal,
    currency,
    job.actorKind,
    job.userId,
    idempotencyKey,
    JSON.stringify(items),
    JSON.stringify({
      items: items.filter(({ code }) => code === null).length,
      leftOut: items.filter(({ code }) => code !== null).length,
      quotedTotal: toMajorText(job.quotedTotal, currency),
      currency,
    }),
    ...changeValues(by),
    bulkKindTitles[job.kind],
    limit,
  ]);
  return added?.id ?? (idempotencyKey === null ? null : await findBulkJobByKey(db, resellerId, idempotencyKey));
}

export const findBulkJobByKey = defineFindValue("find_bulk_job_by_key", { id: as<BulkJobId>(int) })<
  [resellerId: ResellerId, key: string]
>`
      select id from bulk_jobs where reseller_id = $1 and idempotency_key = $2`;
