import { type ApiKeySummaryRow, findApiKeyRow, rotateApiKeyRow } from "#lib/db/api-key/api-key.ts";
import { apiKeyHint, createApiKey, hashApiKey, hintedMode } from "#lib/domain/api-key.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireGrantable, type ServiceContext } from "#lib/services/context.ts";

import { requireSealingKey } from "#lib/services/provider/credentials.ts";
import { writeInSession } from "#lib/services/user/write-in-session.ts";
import { BOUND_KEYS_MAX, type CreatedApiKey, LIVE_KEYS_MAX } from "./create.ts";
import { noSuchKey, requireKeyManager } from "./manager.ts";
import { makeSigningSecret } from "./signing.ts";

const DEFAULT_GRACE_HOURS = 24;
/** A month. For longer, create a second key. */
const MAX_GRACE_HOURS = 744;
const MS_PER_HOUR = 3_600_000;

/**
 * Creates a key with the same name, scopes, ranges, limit and expiry; the old one remains valid for the grace period
 * (contract 1.13). Each key has its own signing secret. A key is rotated once, because a second rotation would inherit
 * the end of its grace period.
 * @throws DomainError `not_found`, `parameters_invalid`, `state_invalid` (rotated, revoked or expired), `conflict` (as many
 *   other live keys as there can be: only a rotation without a grace period adds none).
 */
export async function rotateApiKey(
  ctx: ServiceContext,
  input: {
    readonly apiKeyId: ApiKeyId;
    readonly graceHours?: number | undefined;
    readonly signing?: "optional" | "required" | undefined;
  },
): Promise<CreatedApiKey & { readonly oldExpiresAt: Date }> {
  const resellerId = requireKeyManager(ctx, "keys:write");
  const { apiKeyId, graceHours = DEFAULT_GRACE_HOURS } = input;
  const isGrace = graceHours >= 0 && graceHours <= MAX_GRACE_HOURS;
  if (!isGrace) throw malformed("grace_hours", `must be hours, 0 to ${MAX_GRACE_HOURS}`);
  const old = await findApiKeyRow(ctx.db, resellerId, apiKeyId, ctx.now());
  if (!old) throw noSuchKey();
  if (hintedMode(old.hint) === "live") requireGrantable(ctx, old.scopes);
  if (old.successorId !== null) {
    throw new DomainError(
      "state_invalid",
      `This key was rotated already: rotate its successor, key ${old.successorId}.`,
    );
  }
  const apiKey = createApiKey(hintedMode(old.hint), ctx.randomBytes);
  const secretHash = new Uint8Array(hashApiKey(apiKey, ctx.settings.apiKeyPepper));
  const signing =
    old.signing !== "none" || input.signing
      ? makeSigningSecret(secretHash, requireSealingKey(ctx.settings.sealingKey), ctx.randomBytes)
      : null;
  const now = ctx.now();
  const change = {
    secretHash,
    signingSecret: signing?.sealed ?? null,
    requiresSignature: input.signing === "required",
    hint: apiKeyHint(apiKey),
    liveKeysMax: liveKeysMaxOf(old),
    oldEndsAt: new Date(now.getTime() + graceHours * MS_PER_HOUR),
    by: changedBy(ctx),
  };
  const rotated = await writeInSession(ctx, (db) => rotateApiKeyRow(db, resellerId, apiKeyId, change));
  if (!rotated) throw await explainRefusal(ctx, old);
  return { ...rotated, apiKey, signingSecret: signing?.secret ?? null };
}

function liveKeysMaxOf({ licenseId }: ApiKeySummaryRow): number {
  return licenseId === null ? LIVE_KEYS_MAX : BOUND_KEYS_MAX;
}

async function explainRefusal(ctx: ServiceContext, old: ApiKeySummaryRow): Promise<DomainError> {
  const key = await findApiKeyRow(ctx.db, old.resellerId, old.apiKeyId, ctx.now());
  const isLive = key?.revokedAt === null && (key.expiresAt === null || key.expiresAt > ctx.now());
  if (!isLive || key.successorId !== null) {
    return new DomainError("state_invalid", "This key is rotated, revoked or expired: create a new one.");
  }
  const most = liveKeysMaxOf(old);
  return new DomainError("conflict", `There are ${most} other live keys. Revoke one first, or choose no grace period.`);
}
