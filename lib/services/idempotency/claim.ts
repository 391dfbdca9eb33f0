import { setTimeout as sleep } from "node:timers/promises";
import { sharedDatabase } from "#lib/db/connection/batch.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { createPendingWrites } from "#lib/db/connection/transaction.ts";
import {
  claimIdempotencyKey,
  findClaimState,
  findIdempotencyRecord,
  type IdempotentAnswer,
  type KeyHolder,
  OPEN_STATUS,
  reclaimIdempotencyKey,
  releaseIdempotencyKey,
  storeIdempotentAnswer,
  storeSettledAnswer,
} from "#lib/db/idempotency/key.ts";
import { findOperation } from "#lib/db/operation/operation.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { isOpen } from "#lib/domain/operation.ts";
import { agentScopes, includesScope } from "#lib/domain/scopes.ts";
import { openSecret, sealSecret } from "#lib/domain/sealed-secret.ts";
import { permissionDenied } from "#lib/services/actor.ts";
import type { ClaimedKey, ServiceContext } from "#lib/services/context.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";

const RETRY_AFTER_SECONDS = 1;
/** How long a caller waits for an unavailable database to store the answer. */
const STORE_WITHIN_MS = 3_000;
/** How long a caller waits for a database that does not answer to release the key. */
const RELEASE_WITHIN_MS = 1_000;
/** No JSON text starts like this. */
const SEALED_PREFIX = "sealed:";

export interface StoredAnswer extends IdempotentAnswer {
  /** It contains a secret and is stored encrypted. */
  readonly sealed?: true;
}

export interface KeyedRequest {
  readonly key: string;
  readonly requestHash: Buffer;
}

/** The result of an earlier request with the same key. */
export type EarlierAnswer =
  | { readonly kind: "answered"; readonly answer: StoredAnswer }
  /** It was answered while its operation was open. This context answers from the settled operation. */
  | { readonly kind: "settled"; readonly ctx: ServiceContext };

/** The request continues in the context of its claim, or was answered before. */
export type KeyClaim = { readonly kind: "claimed"; readonly ctx: ServiceContext } | EarlierAnswer;

/**
 * The caller's key, unique to its holder. A leaked agent key must not take the reseller's keys, so API keys with no more
 * than an agent's scopes have keys of their own, which a rotation keeps. No request can send the line break (contract
 * 1.11).
 */
export function ownKey({ actor }: ServiceContext, key: string): string {
  if (actor.kind !== "api_key") return key;
  const isAgent = [...actor.scopes].every((scope) => includesScope(agentScopes, scope));
  return isAgent ? `key:${actor.firstKeyId}\n${key}` : key;
}

/**
 * Claims an idempotency key for the running request, or finds its answer (contract 1.11).
 * @throws DomainError `idempotency_key_reused`, `idempotency_in_progress`
 */
export async function claimKey(ctx: ServiceContext, request: KeyedRequest): Promise<KeyClaim> {
  const { key } = request;
  const holder = holderOf(ctx);
  const lease = await ctx.leases.begin((mine) => reclaimIdempotencyKey(ctx.db, mine, holder, key));
  const isClaimed = await claimIdempotencyKey(ctx.db, lease, holder, request).catch((error) => {
    // The statement may have been executed.
    ctx.leases.abandon(() => releaseIdempotencyKey(ctx.db, lease, holder, key));
    throw error;
  });
  if (!isClaimed) return findEarlierAnswer(ctx, request);
  const pending = createPendingWrites(ctx.db);
  return {
    kind: "claimed",
    ctx: { ...ctx, db: pending.reads, claim: { ...request, lease, pending, isOpen: false } },
  };
}

/**
 * For a request that did not get the key, or lost it.
 * @throws DomainError `idempotency_key_reused`, `idempotency_in_progress`
 */
export async function findEarlierAnswer(
  ctx: ServiceContext,
  { key, requestHash }: KeyedRequest,
): Promise<EarlierAnswer> {
  const record = await findIdempotencyRecord(ctx.db, holderOf(ctx), key);
  if (record && !record.requestHash.equals(requestHash)) {
    throw new DomainError("idempotency_key_reused", "This idempotency key was used for another request.");
  }
  if (!record || record.status === null || record.body === null) {
    throw new DomainError("idempotency_in_progress", "The first request with this idempotency key is still running.", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (record.status === OPEN_STATUS && record.operationId !== null) {
    const operation = await findOperation(ctx.db, record.operationId);
    if (operation && !isOpen(operation.state)) return { kind: "settled", ctx: { ...ctx, settledOperation: operation } };
  }
  return { kind: "answered", answer: { status: record.status, body: unseal(ctx, key, record.body) } };
}

/**
 * Stores the answer of the running request and commits its writes. False: the request has lost its key; nothing is
 * committed, and its answer must not be sent.
 * @param ctx of the claim
 * @throws DomainError `unavailable` if the database remains unavailable
 */
export async function storeAnswer(ctx: ServiceContext, answer: StoredAnswer): Promise<boolean> {
  const { key, lease, pending, isOpen: isPending } = claimOf(ctx);
  const holder = holderOf(ctx);
  const status = isPending ? OPEN_STATUS : answer.status;
  const body = answer.sealed ? seal(ctx, key, answer.body) : answer.body;
  const store = (db: Database) => storeIdempotentAnswer(db, lease, holder, key, { status, body });
  // Nothing here waits for a turn: a completed change is reported, whatever else its reseller has under way.
  if (!pending.hasBegun()) {
    const db = sharedDatabase(ctx.db);
    return ctx.leases.persist(() => store(db), { forMs: STORE_WITHIN_MS });
  }
  try {
    const isStored = await store(pending.writes);
    await (isStored ? pending.commit() : pending.rollback());
    return isStored;
  } catch (error) {
    await pending.rollback();
    // The commit may have been executed.
    const db = sharedDatabase(ctx.db);
    const find = () => findClaimState(db, lease, holder, key);
    const state = await ctx.leases.persist(find, { forMs: STORE_WITHIN_MS });
    if (state === "running") throw error;
    return state === "stored";
  }
}

/** @param ctx of the settled answer */
export async function replaceAnswer(ctx: ServiceContext, key: string, answer: StoredAnswer): Promise<void> {
  const holder = holderOf(ctx);
  const { settledOperation } = ctx;
  if (!settledOperation || !("resellerId" in holder)) throw new Error("only an operation is settled");
  await storeSettledAnswer(ctx.db, holder.resellerId, key, settledOperation.id, answer);
}

function seal(ctx: ServiceContext, key: string, body: string): string {
  const sealed = sealSecret(body, ownerOf(ctx, key), requireSealingKey(ctx.settings.sealingKey), ctx.randomBytes);
  return SEALED_PREFIX + Buffer.from(sealed).toString("base64");
}

function unseal(ctx: ServiceContext, key: string, body: string): string {
  if (!body.startsWith(SEALED_PREFIX)) return body;
  const sealed = Buffer.from(body.slice(SEALED_PREFIX.length), "base64");
  return openSecret(sealed, ownerOf(ctx, key), requireSealingKey(ctx.settings.sealingKey));
}

function ownerOf(ctx: ServiceContext, key: string): string {
  const holder = holderOf(ctx);
  return `idempotency_record:${"resellerId" in holder ? holder.resellerId : `admin:${holder.adminId}`}:${key}`;
}

/** Rolls back the writes of the running request. @param ctx of the claim */
export async function rollBackWrites(ctx: ServiceContext): Promise<void> {
  await claimOf(ctx).pending.rollback();
}

/**
 * For answers that are not stored: rolls back the request's writes, and releases the key for a retry. During an outage,
 * also of a database that does not answer, releases it asynchronously.
 * @param ctx of the claim
 */
export async function releaseKey(ctx: ServiceContext): Promise<void> {
  const { key, lease, pending } = claimOf(ctx);
  await pending.rollback();
  const db = sharedDatabase(ctx.db);
  const release = () => releaseIdempotencyKey(db, lease, holderOf(ctx), key);
  const released = release().catch(() => ctx.leases.abandon(release));
  await Promise.race([released, sleep(RELEASE_WITHIN_MS, undefined, { ref: false })]);
}

function claimOf({ claim }: ServiceContext): ClaimedKey {
  if (claim === null) throw new Error("the idempotency key was not claimed");
  return claim;
}

/** An admin's key belongs to the reseller that the request concerns, or else to the admin. */
function holderOf({ actor }: ServiceContext): KeyHolder {
  if (actor.kind === "admin" && actor.resellerId === null) return { adminId: actor.userId };
  if (actor.kind === "system" || actor.resellerId === null) throw permissionDenied("Only a reseller may do this.");
  return { resellerId: actor.resellerId };
}
