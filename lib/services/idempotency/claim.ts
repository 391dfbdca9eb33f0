import {
  claimIdempotencyKey,
  type KeyHolder,
  releaseIdempotencyKey,
  storeIdempotentAnswer,
} from "#lib/db/idempotency.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { openSecret, sealSecret } from "#lib/domain/sealed-secret.ts";
import { permissionDenied, type ServiceContext } from "#lib/services/context.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";

const RETRY_AFTER_SECONDS = 1;
/** No JSON text begins so. */
const SEALED_PREFIX = "sealed:";

/** An answer as it was sent. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Claims an idempotency key for the running request; null: go on. The stored answer if there is one (decisions 1.11).
 * @throws DomainError `idempotency_key_reused`, `idempotency_in_progress`.
 */
export async function claimKey(
  ctx: ServiceContext,
  claim: { readonly key: string; readonly requestHash: Buffer },
): Promise<StoredAnswer | null> {
  const now = ctx.now();
  const lockedUntil = new Date(now.getTime() + ctx.settings.operationLeaseMs);
  const result = await claimIdempotencyKey(ctx.db, holderOf(ctx), { ...claim, now, lockedUntil });
  if (result.claimed) return null;
  const { row } = result;
  if (row && !row.requestHash.equals(claim.requestHash)) {
    throw new DomainError("idempotency_key_reused", "This idempotency key was used for another request.");
  }
  if (row && row.status !== null && row.body !== null) {
    return { status: row.status, body: unseal(ctx, claim.key, row.body) };
  }
  throw new DomainError("idempotency_in_progress", "The first request with this idempotency key is still running.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** `sealed`: the answer holds a secret, which is not stored as it is. */
export async function keepAnswer(
  ctx: ServiceContext,
  key: string,
  answer: StoredAnswer,
  { sealed = false }: { readonly sealed?: boolean } = {},
): Promise<void> {
  const body = sealed ? seal(ctx, key, answer.body) : answer.body;
  await storeIdempotentAnswer(ctx.db, holderOf(ctx), key, { ...answer, body });
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

/** For answers that are not stored: the same key may be tried again at once. */
export async function releaseKey(ctx: ServiceContext, key: string): Promise<void> {
  await releaseIdempotencyKey(ctx.db, holderOf(ctx), key);
}

/** An admin's key belongs to the reseller that the request is about; of what is about none, to the admin. */
function holderOf({ actor }: ServiceContext): KeyHolder {
  if (actor.kind === "admin" && actor.resellerId === null) return { adminId: actor.userId };
  if (actor.kind === "system" || actor.resellerId === null) throw permissionDenied("Only a reseller may do this.");
  return { resellerId: actor.resellerId };
}
