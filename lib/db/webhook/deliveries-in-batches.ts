/**
 * Changes of all deliveries that an endpoint has. A single statement for a month of them would keep its locks for longer
 * than others wait, or take longer than a statement may.
 */
import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { bigint } from "#lib/db/connection/columns.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";
import { auditResend, beginAnew, notDelivered } from "./delivery.ts";

const BATCH_SIZE = 500;

type Batch = readonly { readonly id: bigint }[];

/** Runs until a batch is not full. `change` gets the greatest id of the batch before. Returns how many were changed. */
async function inBatches(change: (after: bigint) => Promise<Batch>): Promise<number> {
  for (let total = 0, after = 0n; ; ) {
    const batch = await change(after);
    total += batch.length;
    if (batch.length < BATCH_SIZE) return total;
    after = batch.reduce((greatest, { id }) => (id > greatest ? id : greatest), after);
  }
}

const deleteDeliveriesStatement = statement("delete_endpoint_deliveries", { id: bigint })`
      with batch as materialized (
        select d.id from webhook_deliveries d where d.reseller_id = $1 and d.endpoint_id = $2 order by d.id limit $3 for update
      )
      delete from webhook_deliveries d using batch b where d.id = b.id and d.reseller_id = $1 returning d.id`;

/** With their attempts. */
export async function deleteEndpointDeliveries(db: Database, resellerId: ResellerId, id: number): Promise<void> {
  await inBatches(() => db.query(deleteDeliveriesStatement, [resellerId, id, BATCH_SIZE]));
}

const discardDeliveriesStatement = statement("discard_deliveries", { id: bigint })`
      with batch as materialized (
        select d.id from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
         where e.disabled_at is not null and ($1::int is null or e.id = $1) and d.state = 'pending' and d.owner_id is null
         order by d.endpoint_id, d.id limit $2 for update of d skip locked
      )
      update webhook_deliveries d set state = 'discarded' from batch b where d.id = b.id returning d.id`;

/**
 * Discards what waits at a disabled endpoint; without an id, at all of them. A process that dies in between leaves
 * deliveries that nobody claims: they are discarded when the endpoint is resumed, or when old records are pruned.
 */
export async function discardDeliveries(db: Database, endpointId: WebhookEndpointId | null): Promise<number> {
  return inBatches(() => db.query(discardDeliveriesStatement, [endpointId, BATCH_SIZE]));
}

const requeueNotDeliveredStatement = statement("requeue_not_delivered", { id: bigint })`
      with batch as materialized (
        select id from webhook_deliveries where ${notDelivered} and created_at >= $6 and id > $7
           and exists (select from webhook_endpoints e where e.id = $2 and e.reseller_id = $1 and e.disabled_at is null)
         order by id limit $8 for update
      ), queued as (
        update webhook_deliveries d set ${beginAnew} from batch b where d.id = b.id and d.reseller_id = $1 returning d.id
      ), audited as (
        select ${auditResend("e", "jsonb_build_object('deliveries', q.count, 'since', $6::timestamptz)")}
          from webhook_endpoints e, (select count(*) from queued) q where e.reseller_id = $1 and e.id = $2 and q.count > 0
      )
      select id from queued cross join audited`;

/**
 * Queues failed and discarded deliveries again, in the order of their events, unless the endpoint is disabled meanwhile.
 * After waiting for a simultaneous resend, a delivery's state is checked once more. Each batch has its audit entry.
 */
export async function requeueNotDelivered(
  db: Database,
  resellerId: ResellerId,
  endpointId: number,
  since: Date,
  by: ChangedBy,
): Promise<number> {
  return inBatches((after) =>
    db.query(requeueNotDeliveredStatement, [resellerId, endpointId, ...changeValues(by), since, after, BATCH_SIZE]),
  );
}
