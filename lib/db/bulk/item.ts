import {
  as,
  bigint,
  boolean,
  int,
  json,
  jsonValue,
  list,
  nullable,
  oneOf,
  text,
  timestamp,
} from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { BulkItemState } from "#lib/domain/bulk.ts";
import { bulkItemStates } from "#lib/domain/bulk.ts";
import type { BulkItemId, BulkJobId, LicenseId, ResellerId } from "#lib/domain/ids.ts";

const bulkItemRow = {
  id: as<BulkItemId>(int),
  position: int,
  state: oneOf(bulkItemStates),
  /** A change whose revert failed: it stays. */
  notReverted: boolean,
  licenseId: nullable(int),
  bundleInstanceId: nullable(int),
  productName: nullable(text),
  /** Licenses of a bundle. */
  members: list(json({ id: as<LicenseId>(int), productName: text })),
  hostname: nullable(text),
  ipAddress: nullable(text),
  input: jsonValue,
  errorCode: nullable(text),
  errorMessage: nullable(text),
  operationId: nullable(text),
  chargedAmount: bigint,
  endedAt: nullable(timestamp),
};
/**
 * An item with its subject, if that exists; for a registration, with what it requests. Money in minor units of the
 * job's currency.
 */
export type BulkItemRow = RowOf<typeof bulkItemRow>;

/** By position. `after`: 0 for the first page. */
export const listBulkItems = defineList("list_bulk_items", bulkItemRow).values(
  (
    resellerId: ResellerId,
    jobId: BulkJobId,
    page: { readonly states: readonly BulkItemState[] | null; readonly after: number; readonly limit: number },
  ) => [jobId, resellerId, page.after, page.states, page.limit],
)`
      select i.id, i.position, i.state,
             i.state = 'failed' and i.revert_until is not null as "notReverted", l.id as "licenseId", b.id as "bundleInstanceId",
             coalesce(p.name, d.name, i.input ->> 'productName') as "productName", l.hostname,
             coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'productName', mp.name) order by m.id)
                from licenses m join products mp on mp.id = m.product_id
               where m.bundle_instance_id = b.id and m.reseller_id = b.reseller_id), '[]') as members,
             coalesce(l.ip_address, b.ip_address, i.input ->> 'ipAddress') as "ipAddress",
             i.input, i.error_code as "errorCode", i.error_message as "errorMessage", i.operation_id as "operationId",
             i.charged_amount as "chargedAmount", i.ended_at as "endedAt"
        from bulk_jobs j
        join bulk_job_items i on i.job_id = j.id and i.reseller_id = j.reseller_id
        left join licenses l on l.id = i.license_id and l.reseller_id = j.reseller_id
        left join products p on p.id = l.product_id
        left join bundle_instances b on b.id = i.bundle_instance_id and b.reseller_id = j.reseller_id
        left join bundles d on d.id = b.bundle_id
       where j.id = $1 and j.reseller_id = $2 and i.position > $3
         and ($4::bulk_item_state[] is null or i.state = any ($4))
       order by i.position limit $5`;
