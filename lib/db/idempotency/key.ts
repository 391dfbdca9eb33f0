import type { Database } from "#lib/db/connection/client.ts";
import { boolean, bytes, int, nullable, text } from "#lib/db/connection/columns.ts";
import { defineFindValue, defineRun } from "#lib/db/connection/define.ts";
import { findSqlState, sqlState } from "#lib/db/connection/errors.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";

/** A reseller, or an admin for requests that concern no reseller and start no operation. */
export type KeyHolder = { readonly resellerId: ResellerId } | { readonly adminId: UserId };

const idempotencyRow = {
  requestHash: bytes,
  /** Null while the first request is running. */
  status: nullable(int),
  body: nullable(text),
  /** The operation that the request started; null for an admin's key. */
  operationId: nullable(text),
};
export type IdempotencyRow = RowOf<typeof idempotencyRow>;

export interface IdempotentAnswer {
  readonly status: number;
  readonly body: string;
}

/** Status of a response that was given while the operation was open (contract 3.11). */
export const OPEN_STATUS = 202;

const RETENTION = "interval '24 hours'";

/**
 * A key lives as long as its operation is open, and for the retention after the operation ends: a client that got a 202
 * repeats the request with the key, which must never start a second operation (contract 1.11).
 */
export const keptByOperation = (record: string) => `exists (
  select from operations op where op.id = ${record}.operation_id and op.reseller_id = ${record}.reseller_id
     and (op.settled_at is null or op.settled_at > now() - ${RETENTION}))`;

function statementsOn(holder: "reseller" | "admin") {
  const [table, column, kind] =
    holder === "reseller"
      ? ["idempotency_records", "reseller_id", ""]
      : ["admin_idempotency_records", "user_id", "admin_"];
  const startsOperations = holder === "reseller";
  // Older than the contract's retention.
  const expired = `i.created_at <= now() - ${RETENTION}${startsOperations ? ` and not ${keptByOperation("i")}` : ""}`;
  return {
    claim: statement(`claim_${kind}idempotency_key`)`
      insert into ${table} as i (${column}, key, request_hash, owner_id, lease_token, created_at)
      values ($1, $2, $3, $4, $5, now())
      on conflict (${column}, key) do update set
          request_hash = excluded.request_hash, owner_id = excluded.owner_id, lease_token = excluded.lease_token,
          ${startsOperations ? `operation_id = case when ${expired} then null else i.operation_id end,` : ""}
          created_at = case when ${expired} then excluded.created_at else i.created_at end,
          status = null, body = null
        where (${expired})
           or (i.status is null and i.request_hash = excluded.request_hash
               and not exists (select from processes p where p.id = i.owner_id))
      returning key`,
    find: statement(
      `find_${kind}idempotency_record`,
      idempotencyRow,
    )`select request_hash as "requestHash", status, body, ${startsOperations ? "operation_id" : "null::uuid"} as "operationId"
             from ${table} where ${column} = $1 and key = $2`,
    reclaim: statement(`reclaim_${kind}idempotency_key`)`
      update ${table} set owner_id = $3 where ${column} = $1 and key = $2 and lease_token = $4 and status is null returning key`,
    store: statement(`store_${kind}idempotent_answer`)`
      update ${table} set status = $3, body = $4, owner_id = null
       where ${column} = $1 and key = $2 and lease_token = $5 and (status is null or (status = $3 and body = $4))
      returning key`,
    findState: statement(`find_${kind}claim_state`, { stored: boolean })`
      select status is not null as stored from ${table} where ${column} = $1 and key = $2 and lease_token = $3 for update`,
    // Another statement may be starting the operation: its lock is waited for, but its operation is not visible here. So
    // an operation counts unless it is seen to be rejected.
    release: statement(`release_${kind}idempotency_key`)`
      with mine as (
        select i.${column}, i.key, ${startsOperations ? "i.operation_id is not null and not exists (select from operations o where o.id = i.operation_id and o.reseller_id = i.reseller_id and o.state = 'rejected')" : "false"} as kept
          from ${table} i
         where i.${column} = $1 and i.key = $2 and i.lease_token = $3 and i.status is null for update
      ), forgotten as (
        delete from ${table} i using mine m where i.${column} = m.${column} and i.key = m.key and not m.kept
      )
      update ${table} i set owner_id = null from mine m where i.${column} = m.${column} and i.key = m.key and m.kept`,
  };
}
const onResellers = statementsOn("reseller");
const onAdmins = statementsOn("admin");

function placeOf(holder: KeyHolder) {
  return "resellerId" in holder
    ? { statements: onResellers, id: holder.resellerId }
    : { statements: onAdmins, id: holder.adminId };
}

/**
 * Claims a key for the running request. False if the key is answered or its request is running. Replaces records older
 * than 24 hours that no operation keeps, and claims of dead processes. Exactly one of several concurrent callers gets the key.
 * @throws DomainError `not_found`: no such reseller
 */
export async function claimIdempotencyKey(
  db: Database,
  lease: Lease,
  holder: KeyHolder,
  claim: { readonly key: string; readonly requestHash: Buffer },
): Promise<boolean> {
  const { statements, id } = placeOf(holder);
  const claimed = db.query(statements.claim, [id, claim.key, claim.requestHash, lease.ownerId, lease.token]);
  const rows = await claimed.catch((error) => {
    throw findSqlState(error) === sqlState.foreignKeyViolation ? resellerNotFound() : error;
  });
  return rows.length === 1;
}

function resellerNotFound(): DomainError {
  return new DomainError("not_found", "There is no such reseller.");
}

export async function findIdempotencyRecord(
  db: Database,
  holder: KeyHolder,
  key: string,
): Promise<IdempotencyRow | null> {
  const { statements, id } = placeOf(holder);
  return findRow(db, statements.find, [id, key]);
}

/** The operation that an earlier, interrupted request with this key started, or null. */
export const findClaimedOperationId = defineFindValue("find_claimed_operation", { operation_id: nullable(text) })<
  [resellerId: ResellerId, key: string]
>`
      select operation_id from idempotency_records where reseller_id = $1 and key = $2`;

/** Makes this process the owner again after its lease lapsed. False: another claim has replaced this one. */
export async function reclaimIdempotencyKey(
  db: Database,
  lease: Lease,
  holder: KeyHolder,
  key: string,
): Promise<boolean> {
  const { statements, id } = placeOf(holder);
  const rows = await db.query(statements.reclaim, [id, key, lease.ownerId, lease.token]);
  return rows.length === 1;
}

/** False: another claim has replaced this one. Storing the same response again changes nothing. */
export async function storeIdempotentAnswer(
  db: Database,
  lease: Lease,
  holder: KeyHolder,
  key: string,
  answer: IdempotentAnswer,
): Promise<boolean> {
  const { statements, id } = placeOf(holder);
  const rows = await db.query(statements.store, [id, key, answer.status, answer.body, lease.token]);
  return rows.length === 1;
}

/**
 * The state of a claim whose response may have been stored: stored, replaced, or neither. Waits for a transaction that
 * may be storing it.
 */
export async function findClaimState(
  db: Database,
  lease: Lease,
  holder: KeyHolder,
  key: string,
): Promise<"stored" | "replaced" | "running"> {
  const { statements, id } = placeOf(holder);
  const row = await findRow(db, statements.findState, [id, key, lease.token]);
  if (!row) return "replaced";
  return row.stored ? "stored" : "running";
}

/** Replaces the response that was given while the operation was open. */
export const storeSettledAnswer = defineRun("store_settled_answer").values(
  (resellerId: ResellerId, key: string, operationId: string, answer: IdempotentAnswer) => {
    return [resellerId, key, operationId, answer.status, answer.body];
  },
)`
      update idempotency_records set status = $4, body = $5
       where reseller_id = $1 and key = $2 and operation_id = $3 and status = ${String(OPEN_STATUS)}`;

/**
 * For a response that is not stored. Deletes the key, unless its request started an operation that was not rejected:
 * the next request with the key gets that operation's outcome.
 */
export async function releaseIdempotencyKey(db: Database, lease: Lease, holder: KeyHolder, key: string): Promise<void> {
  const { statements, id } = placeOf(holder);
  await db.query(statements.release, [id, key, lease.token]);
}
