import { batchPerDatabase } from "#lib/db/connection/batch.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { text } from "#lib/db/connection/columns.ts";
import { defineRun } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import { operationBatches } from "./batches.ts";
import { type OperationKey, operationRow } from "./operation.ts";

const markOperationsSentStatement = statement("mark_operation_sent", { token: text })`
      select token from (select set_config('synchronous_commit', 'off', true)) unsynced, mark_operations_sent($1::jsonb) as token`;

interface SentMark extends OperationKey {
  readonly token: string;
  readonly now: Date;
}

async function markAllSent(db: Database, marks: readonly SentMark[]): Promise<boolean[]> {
  const rows = await db.query(markOperationsSentStatement, [JSON.stringify(marks)]);
  const marked = new Set(rows.map(({ token }) => token));
  return marks.map(({ token }) => marked.has(token));
}

const markInBatch = batchPerDatabase(markAllSent, operationBatches);

/**
 * held → sent, in one statement with the concurrent ones. False: another claim has replaced this one.
 * Commits asynchronously, unlike the hold before it and the settlement after it. A power failure can lose only this
 * mark, and a `held` operation is reconciled like a sent one.
 */
export async function markOperationSent(
  db: Database,
  lease: Pick<Lease, "token">,
  { id, reseller_id }: OperationKey,
  now: Date,
): Promise<boolean> {
  return markInBatch(db, { id, reseller_id, token: lease.token, now });
}

/** Ends a claim with an unknown outcome; the provider is asked again later. */
export const markOperationUnknown = defineRun("mark_operation_unknown").values(
  (
    lease: Lease,
    { id, reseller_id }: OperationKey,
    { message, askAfterMs, now }: { readonly message: string; readonly askAfterMs: number; readonly now: Date },
  ) => [id, reseller_id, lease.token, message, askAfterMs / 1_000, now],
)`
select from mark_operation_unknown($1, $2, $3, $4, make_interval(secs => $5), $6)`;

export interface Settlement {
  readonly succeeded: boolean;
  /** It never reached the provider. The caller learns that, so no event reports a rejection (contract 3.13). */
  readonly unsent?: boolean;
  /** The provider's reason for a rejection. */
  readonly failureMessage: string | null;
  /** License key → the provider's own name of the license. */
  readonly references: Readonly<Record<string, string>>;
  /** The outcome was learned later. */
  readonly reconciled: boolean;
}

/** Without the plan, the largest field: the caller has it already. */
const { plan: _plan, ...settledRow } = operationRow;
export type SettledOperation = RowOf<typeof settledRow>;

const settleOperationsStatement = statement("settle_operations", settledRow)`
      select ${Object.keys(settledRow).join(", ")} from settle_operations($1::jsonb)`;

interface Settling extends Settlement {
  readonly id: string;
  readonly resellerId: number;
  readonly token: string;
  readonly now: Date;
}

async function settleAll(db: Database, settlements: readonly Settling[]): Promise<(SettledOperation | null)[]> {
  const rows = await db.query(settleOperationsStatement, [
    JSON.stringify(settlements.map((settlement, place) => ({ place, ...settlement }))),
  ]);
  const settled = new Map(rows.map((row) => [row.id, row]));
  return settlements.map(({ id, token }) => {
    const row = settled.get(id);
    if (row?.lease_token !== token) return null;
    // Of two settlements with one claim the first has settled it.
    settled.delete(id);
    return row;
  });
}

// A settlement is repeated until it succeeds.
const settleInBatch = batchPerDatabase(settleAll, { ...operationBatches, keyOf: ({ id }: Settling) => id });

/**
 * Settles an open operation once, in one statement with the concurrent ones: charges or releases the hold, and applies
 * its plan. Null: it has ended, or another claim has replaced this one.
 */
export async function settleOperation(
  db: Database,
  lease: Pick<Lease, "token">,
  { id, reseller_id }: OperationKey,
  settlement: Settlement,
  now: Date,
): Promise<SettledOperation | null> {
  return settleInBatch(db, { ...settlement, id, resellerId: reseller_id, token: lease.token, now });
}
