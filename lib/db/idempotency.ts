import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { Database } from "./client.ts";

/** Whose key it is: a reseller's, or an admin's own, of what is about no reseller and begins no operation. */
export type KeyHolder = { readonly resellerId: ResellerId } | { readonly adminId: UserId };

function placeOf(holder: KeyHolder) {
  return "resellerId" in holder
    ? ({ table: "idempotency_records", column: "reseller_id", id: holder.resellerId, kind: "" } as const)
    : ({ table: "admin_idempotency_records", column: "user_id", id: holder.adminId, kind: "admin_" } as const);
}

export interface IdempotencyRow {
  readonly requestHash: Buffer;
  readonly status: number | null;
  readonly body: string | null;
  readonly lockedUntil: Date;
}

const KEPT_HOURS = 24;

/**
 * Claims a key for the running request, or finds what holds it. A claim whose process died, or that is older than
 * 24 hours, is taken over. Exactly one of two concurrent callers gets `claimed`.
 */
export async function claimIdempotencyKey(
  db: Database,
  holder: KeyHolder,
  claim: {
    readonly key: string;
    readonly requestHash: Buffer;
    readonly now: Date;
    readonly lockedUntil: Date;
  },
): Promise<{ readonly claimed: true } | { readonly claimed: false; readonly row: IdempotencyRow | null }> {
  const { table, column, id, kind } = placeOf(holder);
  const keptOperation = `
          operation_id = case when i.created_at <= $4::timestamptz - interval '${KEPT_HOURS} hours' then null else i.operation_id end,`;
  const claimedRows = await db.query({
    name: `claim_${kind}idempotency_key`,
    text: `
      insert into ${table} as i (${column}, key, request_hash, locked_until, created_at)
      values ($1, $2, $3, $5, $4)
      on conflict (${column}, key) do update set
          request_hash = excluded.request_hash, locked_until = excluded.locked_until,${kind === "" ? keptOperation : ""}
          created_at = case when i.created_at <= $4::timestamptz - interval '${KEPT_HOURS} hours' then $4 else i.created_at end,
          status = null, body = null
        where i.created_at <= $4::timestamptz - interval '${KEPT_HOURS} hours'
           or (i.status is null and i.locked_until <= $4 and i.request_hash = excluded.request_hash)
      returning key`,
    values: [id, claim.key, claim.requestHash, claim.now, claim.lockedUntil],
  });
  if (claimedRows.length === 1) return { claimed: true };
  const [row] = await db.query<IdempotencyRow>({
    name: `find_${kind}idempotency_record`,
    text: `select request_hash as "requestHash", status, body, locked_until as "lockedUntil"
             from ${table} where ${column} = $1 and key = $2`,
    values: [id, claim.key],
  });
  return { claimed: false, row: row ?? null };
}

/** The operation that an earlier, interrupted request under this key began; null if it began none. */
export async function findClaimedOperationId(
  db: Database,
  resellerId: ResellerId,
  key: string,
): Promise<string | null> {
  const [row] = await db.query<{ operation_id: string | null }>({
    name: "find_claimed_operation",
    text: "select operation_id from idempotency_records where reseller_id = $1 and key = $2",
    values: [resellerId, key],
  });
  return row?.operation_id ?? null;
}

export async function storeIdempotentAnswer(
  db: Database,
  holder: KeyHolder,
  key: string,
  answer: { readonly status: number; readonly body: string },
): Promise<void> {
  const { table, column, id, kind } = placeOf(holder);
  await db.query({
    name: `store_${kind}idempotent_answer`,
    text: `update ${table} set status = $3, body = $4 where ${column} = $1 and key = $2`,
    values: [id, key, answer.status, answer.body],
  });
}

/**
 * The answer is one that is not stored: the same key may be tried again at once. An operation that was refused before
 * it began is forgotten, so that the retry begins a new one; one that is still open stays linked.
 */
export async function releaseIdempotencyKey(db: Database, holder: KeyHolder, key: string): Promise<void> {
  const { table, column, id, kind } = placeOf(holder);
  const openOperation = `,
             operation_id = (select o.id from operations o where o.id = i.operation_id and o.state <> 'rejected')`;
  await db.query({
    name: `release_${kind}idempotency_key`,
    text: `
      update ${table} i set locked_until = 'epoch'${kind === "" ? openOperation : ""}
       where i.${column} = $1 and i.key = $2 and i.status is null`,
    values: [id, key],
  });
}
