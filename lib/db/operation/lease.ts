import { anyLength } from "#lib/db/connection/any-length.ts";
import { text } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineListValues, defineRun } from "#lib/db/connection/define.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import { type OperationKey, operationColumns, operationRow } from "./operation.ts";

const open = "settled_at is null";
const free = (early: string) =>
  `${open} and owner_id is null and (${early} or ask_at is null or ask_at <= (select clock_timestamp()))`;

const excepted = anyLength("$2::uuid[]");

/**
 * Open operations without an owner: first those of dead processes, then those due for another request to the provider.
 * Resellers take turns, including their operations in `except`, which are in progress. `early`: also those not yet due.
 */
export const listFreeOperations = defineListValues("list_free_operations", { id: text }).values(
  (list: { readonly early: boolean; readonly except: readonly string[]; readonly limit: number }) => [
    list.early,
    list.except,
    list.limit,
  ],
)`
      select id from (
        select id, state, ask_at, created_at,
               row_number() over (partition by reseller_id
                                  order by id = any (${excepted}) desc, state = 'unknown', ask_at nulls first, created_at) as turn
          from operations where (${free("$1")}) or id = any (${excepted})
      ) due
       where id <> all (${excepted}) order by turn, state = 'unknown', ask_at nulls first, created_at limit $3`;

/** Null: it has ended, another process owns it, or it is not due. */
export const claimOperation = defineFind("claim_operation", operationRow).values(
  (lease: Lease, { id, early }: { readonly id: string; readonly early: boolean }) => [
    lease.ownerId,
    lease.token,
    id,
    early,
  ],
)`
      update operations set owner_id = $1, lease_token = $2, attempt = attempt + 1
       where id = $3 and ${free("$4")} returning ${operationColumns}`;

/** Makes this process the owner again after its lease lapsed. False: another claim has replaced this one. */
export const reclaimOperation = defineAny("reclaim_operation").values((lease: Lease, id: string) => [
  lease.ownerId,
  lease.token,
  id,
])`
      update operations set owner_id = $1 where id = $3 and lease_token = $2 and ${open} returning id`;

/** Ends a claim; the operation stays open and is due again later. */
export const postponeOperation = defineRun("postpone_operation").values(
  (lease: Lease, { id, reseller_id }: OperationKey, askAfterMs: number) => [
    id,
    reseller_id,
    lease.token,
    askAfterMs / 1_000,
  ],
)`
      update operations set owner_id = null, ask_at = clock_timestamp() + make_interval(secs => $4)
       where id = $1 and reseller_id = $2 and lease_token = $3 and ${open}`;

/** Ends a claim; another process can claim the operation immediately. */
export const releaseOperation = defineRun("release_operation").values((lease: Lease, id: string) => [id, lease.token])`
      update operations set owner_id = null where id = $1 and lease_token = $2 and ${open}`;
