import { z } from "zod";
import { markupRoundings } from "#lib/domain/markup.ts";

export const refSchema = z.object({ name: z.string() });

export const disableSchema = z.object({ name: z.string(), disabled: z.boolean() });

/** What each field may hold is the service's to say; here, only what belongs together. */
const fields = z.object({
  name: z.string(),
  base_url: z.string(),
  api_key: z.string(),
  signing: z.enum(["keep", "none", "set"]),
  signing_secret: z.string(),
});

export const createSchema = fields.transform(({ name, base_url, api_key, signing, signing_secret }) => ({
  name,
  baseUrl: base_url,
  apiKey: api_key,
  signingSecret: signing === "set" ? signing_secret : null,
}));

/** An empty key leaves the stored one. */
export const updateSchema = fields.transform(({ name, base_url, api_key, signing, signing_secret }) => ({
  name,
  baseUrl: base_url,
  ...(api_key === "" ? {} : { apiKey: api_key }),
  ...(signing === "keep" ? {} : { signingSecret: signing === "set" ? signing_secret : null }),
}));

export const importSchema = z
  .object({
    provider: z.string(),
    percent: z.string().trim(),
    fixed: z.string().trim(),
    rounding: z.enum(markupRoundings),
    allow_below_cost: z.boolean(),
  })
  .transform(({ allow_below_cost, fixed, ...rule }) => ({
    ...rule,
    fixed: fixed === "" ? "0" : fixed,
    allowBelowCost: allow_below_cost,
  }));

export const applySchema = z.object({ rule: importSchema, fingerprint: z.string().min(1) });
