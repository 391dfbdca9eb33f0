import { as, boolean, json, jsonObject, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import { OperationState } from "#lib/db/generated/enums.ts";
import { eventKinds } from "#lib/domain/events.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { operationKinds } from "#lib/domain/operation.ts";

const historyOperation = json({
  id: text,
  kind: oneOf(operationKinds),
  state: oneOf(OperationState),
  /** Minor units of `currency` as decimal text; the whole bundle's for its operations. */
  price: text,
  currency: as<Currency>(text),
  failureMessage: nullable(text),
  /** The outcome was learned later. */
  reconciled: boolean,
});

const licenseHistoryRow = {
  at: timestamp,
  eventKind: nullable(oneOf(eventKinds)),
  data: jsonObject,
  operation: nullable(historyOperation),
};
/** An event of a license, the operation behind it, or both. */
export type LicenseHistoryRow = RowOf<typeof licenseHistoryRow>;
export type HistoryOperation = NonNullable<LicenseHistoryRow["operation"]>;

/**
 * Newest first: the license's events with the operation that caused them, and operations without an event (open or
 * rejected). What an admin decided about an operation later is an event of its own: its charge is shown once. Leaves out
 * `operation.settled`, which its operation already shows, and a term's automatic renewal that was rejected with the same
 * words as the one before it: they are repeated every few minutes.
 */
export const listLicenseHistory = defineList("list_license_history", licenseHistoryRow).values(
  (
    resellerId: ResellerId,
    license: { readonly id: number; readonly bundleInstanceId: number | null },
    limit: number,
  ) => [resellerId, license.id, license.bundleInstanceId, limit],
)`
      with happened as (
        select id, sequence, kind, data, operation_id, occurred_at from events
         where license_id = $2 and reseller_id = $1 and kind <> 'operation.settled'
      ), asked as (
        select * from operations
         where reseller_id = $1 and (license_id = $2 or bundle_instance_id = $3)
      ), rejections as (
        select id, failure_message, lag(failure_message) over (
                 partition by plan #>> '{facts,renewsTerm}' order by created_at, id) as failure_before
          from asked
         where kind in ('license_renew', 'bundle_renew') and actor like 'system:%'
           and state = 'rejected' and reconciled_at is null
      )
      select coalesce(e.occurred_at, o.settled_at, o.created_at) as at, e.kind as "eventKind",
             coalesce(e.data, '{}'::jsonb) as data,
             case when o.id is not null then jsonb_build_object(
               'id', o.id, 'kind', o.kind, 'state', o.state, 'price', o.price::text, 'currency', o.currency,
               'failureMessage', o.failure_message, 'reconciled', o.reconciled_at is not null) end as operation
        from happened e full join asked o on o.id = e.operation_id and o.settled_at = e.occurred_at
       where e.id is not null
          or o.id not in (select id from rejections where failure_message = failure_before)
       order by at desc, e.sequence desc, o.id limit $4`;
