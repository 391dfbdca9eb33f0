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
 * held → sent. False when another claim has replaced this one.
 *
 * Does not wait for the disk, as the hold before it and the settlement after it do: the log is written in order, so what
 * a power cut can take away is this mark alone, and an operation that is still `held` is asked about like one that was sent.
 */
export async function markOperationSent(db: Database, lease: Lease, id: string, now: Date): Promise<boolean> {
  const rows = await db.query(markOperationSentStatement, [id, lease.token, now]);
  return rows.length === 1;
}

const markOperationUnknownStatement = statement("mark_operation_unknown")`
      update operations
         set state = 'unknown', failure_message = $3, owner_id = null, ask_at = clock_timestamp() + make_interval(secs => $4)
       where id = $1 and lease_token = $2 and state in ('held', 'sent')`;

/** Ends a claim whose outcome is not known: the provider is asked after a while. */
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
  /** Why the provider refused, for the caller. */
  readonly failureMessage: string | null;
  /** License key → the provider's own name of the license, where it told one. */
  readonly references: Readonly<Record<string, string>>;
  /** The outcome was learned by asking the provider later. */
  readonly reconciled: boolean;
}

const settleOperationStatement = statement(
  "settle_operation",
  operationRow,
)`select ${operationColumns} from settle_operation($1, $2, $3, $4, $5::jsonb, $6, $7)`;

/**
 * Ends an open operation, once: charges or releases, and applies its plan. Null when it has ended, or when another claim
 * has replaced this one.
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
