import type { Database } from "#lib/db/connection/client.ts";
import { findRow, statement } from "#lib/db/connection/statement.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import type { OperationKey, OperationRow } from "./operation.ts";
import { operationColumns, operationRow } from "./operation.ts";

const markOperationSentStatement = statement("mark_operation_sent")`
      with sent as (
        update operations set state = 'sent', sent_at = $4, attempt = attempt + 1
         where id = $1 and reseller_id = $2 and lease_token = $3 and state = 'held' returning id
      )
      select id, set_config('synchronous_commit', 'off', true) from sent`;

/**
 * held → sent. False: another claim has replaced this one.
 * Commits asynchronously, unlike the hold before it and the settlement after it. A power failure can lose only this
 * mark, and a `held` operation is reconciled like a sent one.
 */
export async function markOperationSent(
  db: Database,
  lease: Lease,
  { id, reseller_id }: OperationKey,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(markOperationSentStatement, [id, reseller_id, lease.token, now]);
  return rows.length === 1;
}

const markOperationUnknownStatement = statement("mark_operation_unknown")`
      update operations
         set state = 'unknown', failure_message = $4, owner_id = null, ask_at = clock_timestamp() + make_interval(secs => $5)
       where id = $1 and reseller_id = $2 and lease_token = $3 and state in ('held', 'sent')`;

/** Ends a claim with an unknown outcome; the provider is asked again later. */
export async function markOperationUnknown(
  db: Database,
  lease: Lease,
  { id, reseller_id }: OperationKey,
  { message, askAfterMs }: { readonly message: string; readonly askAfterMs: number },
): Promise<void> {
  await db.query(markOperationUnknownStatement, [id, reseller_id, lease.token, message, askAfterMs / 1_000]);
}

export interface Settlement {
  readonly succeeded: boolean;
  /** The provider's reason for a rejection. */
  readonly failureMessage: string | null;
  /** License key → the provider's own name of the license. */
  readonly references: Readonly<Record<string, string>>;
  /** The outcome was learned later. */
  readonly reconciled: boolean;
}

const settleOperationStatement = statement(
  "settle_operation",
  operationRow,
)`select ${operationColumns} from settle_operation($1, $2, $3, $4, $5, $6::jsonb, $7, $8)`;

/**
 * Settles an open operation once: charges or releases the hold, and applies its plan. Null: it has ended, or another
 * claim has replaced this one.
 */
export async function settleOperation(
  db: Database,
  lease: Pick<Lease, "token">,
  { id, reseller_id }: OperationKey,
  settlement: Settlement,
  now: Date,
): Promise<OperationRow | null> {
  return findRow(db, settleOperationStatement, [
    reseller_id,
    id,
    lease.token,
    settlement.succeeded,
    settlement.failureMessage,
    JSON.stringify(settlement.references),
    settlement.reconciled,
    now,
  ]);
}
