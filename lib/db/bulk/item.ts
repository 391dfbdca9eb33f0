import type { Database } from "#lib/db/connection/client.ts";
import type { BulkItemState } from "#lib/domain/bulk.ts";
import type { BulkItemId, BulkJobId, ResellerId } from "#lib/domain/ids.ts";

/** An item with what it is about, as far as that exists; of a registration, what is asked for. Money in minor units of the job's currency. */
export interface BulkItemRow {
  readonly id: BulkItemId;
  readonly position: number;
  readonly state: BulkItemState;
  readonly licenseId: number | null;
  readonly bundleInstanceId: number | null;
  readonly productName: string | null;
  readonly hostname: string | null;
  readonly ipAddress: string | null;
  readonly input: unknown;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly operationId: string | null;
  readonly chargedAmount: bigint;
  readonly endedAt: Date | null;
}

/** In their order; `after`: behind this position, 0 for the first page. */
export async function listBulkItems(
  db: Database,
  resellerId: ResellerId,
  jobId: BulkJobId,
  page: { readonly states: readonly BulkItemState[] | null; readonly after: number; readonly limit: number },
): Promise<BulkItemRow[]> {
  return db.query<BulkItemRow>({
    name: "list_bulk_items",
    text: `
      select i.id, i.position, i.state, l.id as "licenseId", b.id as "bundleInstanceId",
             coalesce(p.name, d.name, i.input ->> 'productName') as "productName", l.hostname,
             coalesce(l.ip_address, b.ip_address, i.input ->> 'ipAddress') as "ipAddress",
             i.input, i.error_code as "errorCode", i.error_message as "errorMessage", i.operation_id as "operationId",
             i.charged_amount as "chargedAmount", i.ended_at as "endedAt"
        from bulk_jobs j
        join bulk_job_items i on i.job_id = j.id
        left join licenses l on l.id = i.license_id and l.reseller_id = j.reseller_id
        left join products p on p.id = l.product_id
        left join bundle_instances b on b.id = i.bundle_instance_id and b.reseller_id = j.reseller_id
        left join bundles d on d.id = b.bundle_id
       where j.id = $1 and j.reseller_id = $2 and i.position > $3
         and ($4::bulk_item_state[] is null or i.state = any ($4))
       order by i.position limit $5`,
    values: [jobId, resellerId, page.after, page.states, page.limit],
  });
}
