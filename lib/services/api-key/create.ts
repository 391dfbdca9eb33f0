import { insertApiKey } from "#lib/db/api-key/api-key.ts";
import { findLicense } from "#lib/db/license/license.ts";
import { findReseller } from "#lib/db/reseller/reseller.ts";
import { type ApiKeyMode, apiKeyHint, createApiKey, hashApiKey } from "#lib/domain/api-key.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { type ApiKeyId, formatLicenseId, type LicenseId, type ResellerId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, requireGrantable, type ServiceContext } from "#lib/services/context.ts";
import { licenseNotFound } from "#lib/services/license/get.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";
import { openSandboxOf } from "#lib/services/sandbox/open.ts";
import { writeInSession } from "#lib/services/user/write-in-session.ts";
import { modeOf, noSuchReseller, requireManagedReseller } from "./manager.ts";
import { makeSigningSecret } from "./signing.ts";
import { checkApiKeyFields } from "./validate.ts";

const DEFAULT_RATE_LIMIT_PER_MINUTE = 600;
/** Each key has its own rate limit, so a bound on keys also bounds requests. */
export const LIVE_KEYS_MAX = 100;
/** Bound to one license: its agent's, and those that replace it. */
export const BOUND_KEYS_MAX = 10;

export interface CreateApiKeyInput {
  /** Default: the actor's own. */
  readonly resellerId?: ResellerId | undefined;
  /** `test`: a key of the reseller's sandbox. Default: the reseller's own mode. */
  readonly mode?: ApiKeyMode | undefined;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Allowed source addresses; empty: any. */
  readonly cidrs?: readonly string[];
  /** The one license that it is bound to. Default: all of the reseller's. */
  readonly licenseId?: LicenseId | null | undefined;
  /** Default: 600. Only admins set it (contract 1.5). */
  readonly rateLimitPerMinute?: number | undefined;
  readonly expiresAt?: Date | null;
  /** Creates a signing secret; `required`: unsigned requests are rejected (contract 3.14). */
  readonly signing?: "optional" | "required" | null | undefined;
}

export interface CreatedApiKey {
  readonly apiKeyId: ApiKeyId;
  /** Shown once; only its HMAC is stored (contract 1.13). */
  readonly apiKey: string;
  /** Shown once. */
  readonly signingSecret: string | null;
}

/**
 * Creates an API key, for test mode if its reseller is a sandbox.
 * @throws DomainError `not_found`, `parameters_invalid`, `license_not_found`, `state_invalid` (a license that is pending
 *   or terminated), `conflict` (100 live keys, or 10 of one license), `unavailable` (a signing secret without
 *   ENCRYPTION_KEY).
 */
export async function createResellerApiKey(ctx: ServiceContext, input: CreateApiKeyInput): Promise<CreatedApiKey> {
  const managed = requireManagedReseller(ctx, input.resellerId, "keys:write");
  if (input.rateLimitPerMinute !== undefined) requireAdmin(ctx, "resellers:write");
  const { name, scopes, cidrs = [], expiresAt = null, signing = null, licenseId = null } = input;
  const { rateLimitPerMinute = DEFAULT_RATE_LIMIT_PER_MINUTE } = input;
  const now = ctx.now();
  checkApiKeyFields({ name, scopes, cidrs, licenseId, rateLimitPerMinute, expiresAt }, now);

  const resellerId = input.mode === "test" ? await openSandboxOf(ctx, managed) : managed;
  const reseller = await findReseller(ctx.db, resellerId);
  if (!reseller) throw noSuchReseller();
  if (modeOf(reseller) === "live") requireGrantable(ctx, scopes);
  if (licenseId !== null) await requireBindable(ctx, resellerId, licenseId);
  const apiKey = createApiKey(modeOf(reseller), ctx.randomBytes);
  const secretHash = new Uint8Array(hashApiKey(apiKey, ctx.settings.apiKeyPepper));
  const signingSecret = signing
    ? makeSigningSecret(secretHash, requireSealingKey(ctx.settings.sealingKey), ctx.randomBytes)
    : null;
  const key = {
    resellerId,
    name: name.trim(),
    secretHash,
    signingSecret: signingSecret?.sealed ?? null,
    requiresSignature: signing === "required",
    hint: apiKeyHint(apiKey),
    scopes,
    cidrs,
    licenseId,
    rateLimitPerMinute,
    expiresAt,
  };
  const liveKeysMax = licenseId === null ? LIVE_KEYS_MAX : BOUND_KEYS_MAX;
  const apiKeyId = await writeInSession(ctx, (db) => insertApiKey(db, key, { ...changedBy(ctx), liveKeysMax }));
  if (apiKeyId !== null) return { apiKeyId, apiKey, signingSecret: signingSecret?.secret ?? null };
  const whose = licenseId === null ? "An account" : formatLicenseId(licenseId);
  throw new DomainError("conflict", `${whose} can have ${liveKeysMax} live keys. Revoke one first.`);
}

/** A pending license can still be rejected, which deletes it. */
async function requireBindable(ctx: ServiceContext, resellerId: ResellerId, licenseId: LicenseId): Promise<void> {
  const license = await findLicense(ctx.db, resellerId, licenseId);
  if (!license) throw licenseNotFound("license_id");
  const status = deriveLicenseStatus(license, ctx.now());
  if (status !== "pending" && status !== "terminated") return;
  const reason = status === "pending" ? "is pending: wait until the provider confirms it" : "is terminated";
  throw new DomainError("state_invalid", `No key can be bound to ${formatLicenseId(licenseId)}: it ${reason}.`);
}
