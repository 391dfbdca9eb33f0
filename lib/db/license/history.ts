import type { Database } from "#lib/db/connection/client.ts";
import type { EventKind } from "#lib/domain/events.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { OperationKind, OperationState } from "#lib/domain/operation.ts";

/** Something that happened to a license, the operation behind it, or both. */
export interface LicenseHistoryRow {
  readonly at: Date;
  readonly eventKind: EventKind | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly operation: HistoryOperation | null;
}

/** `price`: decimal text of minor units of `currency`; of the whole bundle when it is the bundle's. */
export interface HistoryOperation {
  readonly id: string;
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly price: string;
  readonly currency: Currency;
  readonly failureMessage: string | null;
  /** The outcome was learned by asking the provider later. */
  readonly reconciled: boolean;
}

/**
 * Newest first: the license's events, each with its operation, and the operations that have left no event (open or
 * refused ones). An event that only says that an operation has ended is left out: the operation says it.
 */
export async function listLicenseHistory(
  db: Database,
  resellerId: ResellerId,
  license: { readonly id: number; readonly bundleInstanceId: number | null },
  limit: number,
): Promise<LicenseHistoryRow[]> {
  return db.query<LicenseHistoryRow>({
    name: "list_license_history",
    text: `
      with happened as (
        select id, kind, data, operation_id, occurred_at from events
         where license_id = $2 and reseller_id = $1 and kind <> 'operation.settled'
      ), asked as (
        select * from operations
         where reseller_id = $1 and (license_id = $2 or bundle_instance_id = $3)
      )
      select coalesce(e.occurred_at, o.settled_at, o.created_at) as at, e.kind as "eventKind",
             coalesce(e.data, '{}'::jsonb) as data,
             case when o.id is not null then jsonb_build_object(
               'id', o.id, 'kind', o.kind, 'state', o.state, 'price', o.price::text, 'currency', o.currency,
               'failureMessage', o.failure_message, 'reconciled', o.reconciled_at is not null) end as operation
        from happened e full join asked o on o.id = e.operation_id
       order by at desc, e.id, o.id limit $4`,
    values: [resellerId, license.id, license.bundleInstanceId, limit],
  });
}
