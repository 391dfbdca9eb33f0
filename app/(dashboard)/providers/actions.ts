"use server";
import type { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { ApplyInput, ImportApplied, ImportPreview, ImportRule } from "#components/provider/import.ts";
import type { DisableInput, ProviderInput, ProviderRef, TestResult } from "#components/provider/provider.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { importFromProvider } from "#lib/services/catalog/import-from-provider.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createProvider } from "#lib/services/provider/create.ts";
import { setProviderDisabled } from "#lib/services/provider/set-disabled.ts";
import { testProviderConnection } from "#lib/services/provider/test-connection.ts";
import { updateProvider } from "#lib/services/provider/update.ts";
import { applySchema, createSchema, disableSchema, importSchema, refSchema, updateSchema } from "./action-schemas.ts";
import { providerHref } from "./present.ts";
import { presentPlan } from "./present-import.ts";

export async function add(
  input: ProviderInput,
  idempotencyKey: string,
): Promise<ActionResult<{ readonly href: string }>> {
  return change("providers.add", createSchema, { input, idempotencyKey }, async (ctx, provider) => {
    const { name } = await createProvider(ctx, provider);
    return { href: providerHref(name) };
  });
}

/** @param seenVersion of the provider, bound by the page */
export async function edit(
  seenVersion: string,
  input: ProviderInput,
  idempotencyKey: string,
): Promise<ActionResult<{ readonly href: string }>> {
  return change("providers.edit", updateSchema, { input, idempotencyKey, seenVersion }, async (ctx, provider) => {
    await updateProvider(ctx, provider);
    return { href: providerHref(provider.name) };
  });
}

export async function setDisabled(
  input: DisableInput,
  idempotencyKey: string,
): Promise<ActionResult<{ readonly disabled: boolean }>> {
  return change("providers.setDisabled", disableSchema, { input, idempotencyKey }, async (ctx, { name, disabled }) => {
    await setProviderDisabled(ctx, { name, disabled });
    return { disabled };
  });
}

/** Changes nothing, here or there: asked again, it asks again. */
export async function testConnection(input: ProviderRef): Promise<ActionResult<TestResult>> {
  return runAction({
    name: "providers.testConnection",
    schema: refSchema,
    input,
    run: testProviderConnection,
  });
}

/** A dry run: changes nothing. */
export async function previewImport(input: ImportRule): Promise<ActionResult<ImportPreview>> {
  return runAction({
    name: "providers.previewImport",
    schema: importSchema,
    input,
    run: async (ctx, rule) => presentPlan(await importFromProvider(ctx, { ...rule, dryRun: true })),
  });
}

/** Does what the preview showed, and nothing else. */
export async function applyImport(input: ApplyInput, idempotencyKey: string): Promise<ActionResult<ImportApplied>> {
  return change("providers.applyImport", applySchema, { input, idempotencyKey }, async (ctx, { rule, fingerprint }) => {
    const { products } = await importFromProvider(ctx, { ...rule, dryRun: false, expected: fingerprint });
    return { changed: products.filter(({ status }) => status !== "unchanged").length };
  });
}

async function change<Schema extends z.ZodType, Value>(
  name: string,
  schema: Schema,
  sent: { readonly input: unknown; readonly idempotencyKey: string; readonly seenVersion?: string },
  run: (ctx: ServiceContext, input: z.output<Schema>) => Promise<Value>,
): Promise<ActionResult<Value>> {
  return shownAnew(await runAction({ name, schema, ...sent, run }), "/providers");
}
