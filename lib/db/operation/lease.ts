import { anyLength } from "#lib/db/connection/any-length.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { text } from "#lib/db/connection/columns.ts";
import { findRow, statement } from "#lib/db/connection/statement.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import { type OperationKey, type OperationRow, operationColumns, operationRow } from "./operation.ts";

const open = "settled_at is null";
const free = (early: string) =>
  `${open} and owner_id is null and (${early} or ask_at is null or ask_at <= (select clock_timestamp()))`;

const excepted = anyLength("$2::uuid[]");

const listFreeOperationsStatement = statement("list_free_operations", { id: text })`
      select id from (
        select id, state, ask_at, created_at,
               row_number() over (partition by reseller_id
                                  order by id = any (${excepted}) desc, state = 'unknown', ask_at nulls first, created_at) as turn
          from operations where (${free("$1")}) or id = any (${excepted})
      ) due
       where id <> all (${excepted}) order by turn, state = 'unknown', ask_at nulls first, created_at limit $3`;

/**
 * Open operations without an owner: first those of dead processes, then those due for another request to the provider.
 * Resellers take turns, including their operations in `except`, which are in progress. `early`: also those not yet due.
 */
export async function listFreeOperations(
  db: Database,
  list: { readonly early: boolean; readonly except: readonly string[]; readonly limit: number },
): Promise<string[]> {
  const rows = await db.query(listFreeOperationsStatement, [list.early, list.except, list.limit]);
  return rows.map(({ id }) => id);
}

const claimOperationStatement = statement("claim_operation", operationRow)`
      update operations set owner_id = $1, lease_token = $2, attempt = attempt + 1
       where id = $3 and ${free("$4")} returning ${operationColumns}`;

/** Null: it has ended, another process owns it, or it is not due. */
export async function claimOperation(
  db: Database,
  lease: Lease,
  { id, early }: { readonly id: string; readonly early: boolean },
): Promise<OperationRow | null> {
  return findRow(db, claimOperationStatement, [lease.ownerId, lease.token, id, early]);
}

const reclaimOperationStatement = statement("reclaim_operation")`
      update operations set owner_id = $1 where id = $3 and lease_token = $2 and ${open} returning id`;

/** Makes this process the owner again after its lease lapsed. False: another claim has replaced this one. */
export async function reclaimOperation(db: Database, lease: Lease, id: string): Promise<boolean> {
  const rows = await db.query(reclaimOperationStatement, [lease.ownerId, lease.token, id]);
  return rows.length === 1;
}

const postponeOperationStatement = statement("postpone_operation")`
      update operations set owner_id = null, ask_at = clock_timestamp() + make_interval(secs => $4)
       where id = $1 and reseller_id = $2 and lease_token = $3 and ${open}`;

/** Ends a claim; the operation stays open and is due again later. */
export async function postponeOperation(
  db: Database,
  lease: Lease,
  { id, reseller_id }: OperationKey,
  askAfterMs: number,
): Promise<void> {
  await db.query(postponeOperationStatement, [id, reseller_id, lease.token, askAfterMs / 1_000]);
}

const releaseOperationStatement = statement("release_operation")`
      update operations set owner_id = null where id = $1 and lease_token = $2 and ${open}`;

/** Ends a claim; another process can claim the operation immediately. */
export async function releaseOperation(db: Database, lease: Lease, id: string): Promise<void> {
  await db.query(releaseOperationStatement, [id, lease.token]);
}
