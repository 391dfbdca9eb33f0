"use server";
import type {
  Done,
  KeyInput,
  KeyRef,
  KeyRotated,
  KeyShown,
  RateLimitInput,
  RotateInput,
} from "#components/api-key/api-key.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";
import { type CreatedApiKey, createResellerApiKey } from "#lib/services/api-key/create.ts";
import { revokeApiKey } from "#lib/services/api-key/revoke.ts";
import { rotateApiKey } from "#lib/services/api-key/rotate.ts";
import { setApiKeyRateLimit } from "#lib/services/api-key/set-rate-limit.ts";
import {
  cidrsOf,
  createSchema,
  expiryOf,
  keySchema,
  rateLimitSchema,
  rotateSchema,
  scopesOf,
} from "./action-schemas.ts";
import { keyHref } from "./present.ts";

/** The first parameter of each, bound by the page: the reseller that an admin looks at; of no effect for others. */
type Whose = number | null;

const done: Done = { done: true };

/** The kept answer to the idempotency key is without the API key: sent again, it tells where it is, and no more. */
export async function create(whose: Whose, input: KeyInput, idempotencyKey: string): Promise<ActionResult<KeyShown>> {
  let created: CreatedApiKey | null = null;
  const result = await runAction({
    name: "api-keys.create",
    schema: createSchema,
    input,
    idempotencyKey,
    ...forReseller(whose),
    run: async (ctx, fields) => {
      created = await createResellerApiKey(ctx, {
        name: fields.name,
        scopes: scopesOf(fields.scopes),
        cidrs: cidrsOf(fields.cidrs),
        expiresAt: expiryOf(fields, ctx.now()),
        signing: fields.signing === "none" ? null : fields.signing,
        rateLimitPerMinute: fields.rate_limit,
      });
      return { href: keyHref(pathOf(whose), created.apiKeyId) };
    },
  });
  return shownAnew(
    result.ok ? { ok: true, value: { ...result.value, ...secretsOf(created) } } : result,
    "/api-keys",
    "/resellers",
  );
}

/** As with `create`: only the first answer has the key. */
export async function rotate(
  whose: Whose,
  input: RotateInput,
  idempotencyKey: string,
): Promise<ActionResult<KeyRotated>> {
  let created: CreatedApiKey | null = null;
  const result = await runAction({
    name: "api-keys.rotate",
    schema: rotateSchema,
    input,
    idempotencyKey,
    ...forReseller(whose),
    run: async (ctx, { api_key_id, grace_hours }) => {
      const rotated = await rotateApiKey(ctx, { apiKeyId: api_key_id as ApiKeyId, graceHours: grace_hours });
      created = rotated;
      return { href: keyHref(pathOf(whose), rotated.apiKeyId), oldExpiresAt: rotated.oldExpiresAt.toISOString() };
    },
  });
  return shownAnew(
    result.ok ? { ok: true, value: { ...result.value, ...secretsOf(created) } } : result,
    "/api-keys",
    "/resellers",
  );
}

export async function revoke(whose: Whose, input: KeyRef, idempotencyKey: string): Promise<ActionResult<Done>> {
  return shownAnew(
    await runAction({
      name: "api-keys.revoke",
      schema: keySchema,
      input,
      idempotencyKey,
      ...forReseller(whose),
      run: async (ctx, { api_key_id }) => {
        await revokeApiKey(ctx, { apiKeyId: api_key_id as ApiKeyId });
        return done;
      },
    }),
    "/api-keys",
    "/resellers",
  );
}

export async function setRateLimit(
  whose: Whose,
  input: RateLimitInput,
  idempotencyKey: string,
): Promise<ActionResult<Done>> {
  return shownAnew(
    await runAction({
      name: "api-keys.setRateLimit",
      schema: rateLimitSchema,
      input,
      idempotencyKey,
      ...forReseller(whose),
      run: async (ctx, { api_key_id, rate_limit }) => {
        await setApiKeyRateLimit(ctx, { apiKeyId: api_key_id as ApiKeyId, requestsPerMinute: rate_limit });
        return done;
      },
    }),
    "/api-keys",
    "/resellers",
  );
}

function forReseller(whose: Whose): { readonly forReseller?: ResellerId } {
  return whose === null ? {} : { forReseller: whose as ResellerId };
}

function pathOf(whose: Whose): string {
  return whose === null ? "/api-keys" : `/resellers/${whose}/api-keys`;
}

function secretsOf(created: CreatedApiKey | null): Pick<KeyShown, "apiKey" | "signingSecret"> {
  return { apiKey: created?.apiKey ?? null, signingSecret: created?.signingSecret ?? null };
}
