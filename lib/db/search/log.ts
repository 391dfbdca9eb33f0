import { boolean, int, nullable, oneOf, text } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import { OperationKind } from "#lib/db/generated/enums.ts";
import { operationSubject, operationSubjectRow } from "#lib/db/operation/subject.ts";
import { webhookKinds } from "#lib/domain/events.ts";
import type { EventId, OperationId, ResellerId } from "#lib/domain/ids.ts";
import { foundRow, ofReseller, resellerColumns } from "./found.ts";

/** All of them by their whole id. `resellerId` null: any. */

export const findRequest = defineList("find_request", { ...foundRow, apiKeyId: int }).values(
  (resellerId: ResellerId | null, requestId: string, period: { readonly from: Date; readonly until: Date }) => [
    resellerId,
    requestId,
    period.from,
    period.until,
  ],
)`
      select q.request_id as id, q.method || ' ' || q.operation as label, q.status || ' · ' || k.name as detail, k.id as "apiKeyId",
             ${resellerColumns}
        from api_requests q join api_keys k on k.id = q.api_key_id join resellers r on r.id = k.reseller_id
       where q.request_id = $2 and q.started_at >= $3 and q.started_at < $4 and ${ofReseller} limit 1`;

export const findEventById = defineList("find_event_by_id", {
  ...foundRow,
  kind: oneOf(webhookKinds),
  licenseId: nullable(int),
  bundleInstanceId: nullable(int),
  /** Of an endpoint. */
  hasDelivery: boolean,
})<[resellerId: ResellerId | null, id: EventId]>`
      select v.id, v.kind, v.kind as label, 'evt_' || v.id as detail, v.license_id as "licenseId", v.bundle_instance_id as "bundleInstanceId",
             exists (select from webhook_deliveries d where d.event_id = v.id) as "hasDelivery", ${resellerColumns}
        from events v join resellers r on r.id = v.reseller_id
       where v.id = $2 and ${ofReseller}`;

export const findOperationById = defineList("find_operation_by_id", {
  ...foundRow,
  ...operationSubjectRow,
  kind: oneOf(OperationKind),
  state: text,
  /** In the ledger. */
  isBooked: boolean,
})<[resellerId: ResellerId | null, id: OperationId]>`
      select o.id, o.kind, o.kind::text as label, o.id::text as detail, o.state::text as state, ${operationSubject.columns},
             exists (select from ledger_entries e where e.operation_id = o.id and e.reseller_id = o.reseller_id) as "isBooked", ${resellerColumns}
        from operations o join resellers r on r.id = o.reseller_id ${operationSubject.joins}
       where o.id = $2 and ${ofReseller}`;
