import type { Database } from "#lib/db/connection/client.ts";
import { findRow, statement } from "#lib/db/connection/statement.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import type { OperationRow } from "./operation.ts";
import { operationColumns, operationRow } from "./operation.ts";

const markOperationSentStatement = statement("mark_operation_sent")`
      with sent as (
        update operations set state = 'sent', sent_at = $3, attempt = attempt + 1
         where id = $1 and lease_token = $2 and state = 'held' returning id
      )
      select id, set_config('synchronous_commit', 'off', true) from sent`;

/**
 * held → sent. False: another claim has replaced this one.
 * Commits asynchronously, unlike the hold before it and the settlement after it. A power failure can lose only this
 * mark, and a `held` operation is reconciled like a sent one.
 */
export async function markOperationSent(db: Database, lease: Lease, id: string, now: Date): Promise<boolean> {
  const rows = await db.query(markOperationSentStatement, [id, lease.token, now]);
  return rows.length === 1;
}

const markOperationUnknownStatement = statement("mark_operation_unknown")`
      update operations
         set state = 'unknown', failure_message = $3, owner_id = null, ask_at = clock_timestamp() + make_interval(secs => $4)
       where id = $1 and lease_token = $2 and state in ('held', 'sent')`;

/** Ends a claim with an unknown outcome; the provider is asked again later. */
export async function markOperationUnknown(
  db: Database,
  lease: Lease,
  id: string,
  { message, askAfterMs }: { readonly message: string; readonly askAfterMs: number },
): Promise<void> {
  await db.query(markOperationUnknownStatement, [id, lease.token, message, askAfterMs / 1_000]);
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
)`select ${operationColumns} from settle_operation($1, $2, $3, $4, $5::jsonb, $6, $7)`;

/**
 * Settles an open operation once: charges or releases the hold, and applies its plan. Null: it has ended, or another
 * claim has replaced this one.
 */
export async function settleOperation(
  db: Database,
  lease: Pick<Lease, "token">,
  id: string,
  settlement: Settlement,
  now: Date,
): Promise<OperationRow | null> {
  return findRow(db, settleOperationStatement, [
    id,
    lease.token,
    settlement.succeeded,
    settlement.failureMessage,
    JSON.stringify(settlement.references),
    settlement.reconciled,
    now,
  ]);
}
