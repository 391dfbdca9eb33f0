"use server";
import { z } from "zod";
import { id } from "#app/(dashboard)/fields.ts";
import { suggestLicenses } from "#app/(dashboard)/licenses/suggest.ts";
import { type KeyCreated, type KeyRotated, keyHref } from "#components/api-key/api-key.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { revokeApiKey } from "#lib/services/api-key/revoke.ts";
import { rotateApiKey } from "#lib/services/api-key/rotate.ts";
import { setApiKeyRateLimit } from "#lib/services/api-key/set-rate-limit.ts";
import { setApiKeySpendingLimit } from "#lib/services/api-key/set-spending-limit.ts";
import { cidrsOf, createSchema, expiryOf, rateLimit, scopesOf, typedNumber } from "./action-schemas.ts";

/** The reseller that an admin looks at; null for resellers themselves. */
const bound = z.strictObject({ resellerId: id<ResellerId>().nullable() });
const revalidate = ["/api-keys", "/resellers"];
const api_key_id = id<ApiKeyId>();

export const create = defineAction({
  name: "api-keys.create",
  bound,
  input: createSchema,
  revalidate,
  unstored: { apiKey: null, signingSecret: null },
  asksProof: true,
  run: async (ctx, fields, { resellerId }): Promise<KeyCreated> => {
    const { apiKeyId, apiKey, signingSecret } = await createResellerApiKey(ctx, {
      name: fields.name,
      scopes: scopesOf(fields.scopes),
      cidrs: cidrsOf(fields.cidrs),
      licenseId: fields.licenseId,
      expiresAt: expiryOf(fields, ctx.now()),
      signing: fields.signing === "none" ? null : fields.signing,
      rateLimitPerMinute: fields.rateLimit,
    });
    const { name, signing } = fields;
    return { href: keyHref(pathOf(resellerId), apiKeyId), apiKeyId, name, apiKey, signingSecret, signing };
  },
});

/** For the field that binds a key to a license. */
export const findLicenses = defineAction({
  name: "api-keys.findLicenses",
  bound,
  input: z.string().trim().max(200),
  run: suggestLicenses,
});

export const rotate = defineAction({
  name: "api-keys.rotate",
  bound,
  input: z.strictObject({ api_key_id, grace_hours: z.number() }),
  revalidate,
  unstored: { apiKey: null, signingSecret: null },
  asksProof: true,
  run: async (ctx, input, { resellerId }): Promise<KeyRotated> => {
    const { apiKeyId, apiKey, signingSecret, oldExpiresAt } = await rotateApiKey(ctx, input);
    const href = keyHref(pathOf(resellerId), apiKeyId);
    return { href, oldExpiresAt: oldExpiresAt.toISOString(), apiKey, signingSecret };
  },
});

export const revoke = defineAction({
  name: "api-keys.revoke",
  bound,
  input: z.strictObject({ api_key_id }),
  revalidate,
  asksProof: true,
  run: async (ctx, input) => {
    await revokeApiKey(ctx, input);
  },
});

export const setSpendingLimit = defineAction({
  name: "api-keys.setSpendingLimit",
  bound,
  input: z.strictObject({ api_key_id, limit: z.string() }),
  revalidate,
  asksProof: true,
  run: setApiKeySpendingLimit,
});

export const setRateLimit = defineAction({
  name: "api-keys.setRateLimit",
  bound,
  input: z.strictObject({ api_key_id, rate_limit: typedNumber.pipe(rateLimit) }),
  revalidate,
  run: (ctx, { apiKeyId, rateLimit: requestsPerMinute }) => setApiKeyRateLimit(ctx, { apiKeyId, requestsPerMinute }),
});

function pathOf(resellerId: ResellerId | null): string {
  return resellerId === null ? "/api-keys" : `/resellers/${resellerId}/api-keys`;
}
