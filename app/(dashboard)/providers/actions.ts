"use server";
import { z } from "zod";
import { seenVersion } from "#app/(dashboard)/fields.ts";
import { providerHref } from "#components/provider/provider.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { inCamelCase } from "#lib/domain/field-names.ts";
import { markupRoundings } from "#lib/domain/markup.ts";
import { importFromProvider } from "#lib/services/catalog/import-from-provider.ts";
import { createProvider } from "#lib/services/provider/create.ts";
import { setProviderDisabled } from "#lib/services/provider/set-disabled.ts";
import { testProviderConnection } from "#lib/services/provider/test-connection.ts";
import { updateProvider } from "#lib/services/provider/update.ts";

const revalidate = ["/providers"];

/** What each field may hold is the service's to say; here, only what belongs together. */
const provider = z.strictObject({
  name: z.string().trim(),
  base_url: z.string().trim(),
  api_key: z.string().trim(),
  signing: z.enum(["keep", "none", "set"]),
  signing_secret: z.string().trim(),
});

export const add = defineAction({
  name: "providers.add",
  input: provider,
  revalidate,
  asksProof: true,
  run: async (ctx, { signing, signingSecret, ...fields }) => {
    const { name } = await createProvider(ctx, { ...fields, signingSecret: signing === "set" ? signingSecret : null });
    return { href: providerHref(name) };
  },
});

/** An empty key leaves the stored one. */
export const edit = defineAction({
  name: "providers.edit",
  bound: z.strictObject({ seenVersion }),
  input: provider,
  revalidate,
  asksProof: true,
  run: async (ctx, { name, baseUrl, apiKey, signing, signingSecret }) => {
    await updateProvider(ctx, {
      name,
      baseUrl,
      apiKey: apiKey || undefined,
      signingSecret: { keep: undefined, none: null, set: signingSecret }[signing],
    });
    return { href: providerHref(name) };
  },
});

export const setDisabled = defineAction({
  name: "providers.setDisabled",
  input: z.strictObject({ name: z.string(), disabled: z.boolean() }),
  revalidate,
  run: async (ctx, input) => {
    await setProviderDisabled(ctx, input);
  },
});

export const testConnection = defineAction({
  name: "providers.testConnection",
  input: z.strictObject({ name: z.string() }),
  repeatable: true,
  run: testProviderConnection,
});

const rule = z
  .strictObject({
    provider: z.string(),
    /** On what the provider charges us, e.g. "12.5". */
    percent: z.string().trim(),
    /** Major units of the provider's currency. */
    fixed: z.string().trim(),
    rounding: z.enum(markupRoundings),
    allow_below_cost: z.boolean(),
  })
  .transform(({ fixed, ...rule }) => inCamelCase({ ...rule, fixed: fixed || "0" }));

/** A dry run: changes nothing. */
export const previewImport = defineAction({
  name: "providers.previewImport",
  input: rule,
  repeatable: true,
  run: (ctx, rule) => importFromProvider(ctx, { ...rule, dryRun: true }),
});

/** Does what the preview showed, and nothing else. */
export const applyImport = defineAction({
  name: "providers.applyImport",
  input: z.strictObject({ rule, fingerprint: z.string().min(1) }),
  revalidate,
  run: async (ctx, { rule, fingerprint }) => {
    const { products } = await importFromProvider(ctx, { ...rule, dryRun: false, expected: fingerprint });
    return { changed: products.filter(({ status }) => status !== "unchanged").length };
  },
});
