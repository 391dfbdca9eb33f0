"use server";
import { z } from "zod";
import {
  agreedSchema,
  changeSchema,
  searchSchema,
  selectionSchema,
} from "#app/(dashboard)/licenses/bulk/action-schemas.ts";
import { toChangeQuote } from "#app/(dashboard)/licenses/bulk/change-quote.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import type { BundleBulkChange } from "#lib/domain/bulk-bundle.ts";
import type { BundleSelection } from "#lib/services/bulk/bundle-plan.ts";
import { quoteBundleBulk } from "#lib/services/bulk/quote-bundles.ts";
import { startBundleBulk } from "#lib/services/bulk/start-bundles.ts";
import { countOwnBundleInstances } from "#lib/services/bundle/list.ts";

/** How many bundles there are, up to one more than can be changed at once. */
export const countBundles = defineAction({
  name: "bundles.bulk.countBundles",
  input: searchSchema,
  run: (ctx) => countOwnBundleInstances(ctx),
});

/** The list has no filter, so whatever matches it is all. */
const selection = selectionSchema.transform(
  (sent): BundleSelection => ("ids" in sent ? { bundleInstanceIds: sent.ids } : "all"),
);

const change = changeSchema
  .refine(({ kind }) => kind === "renew" || kind === "set_auto_renew", "is no change of a bundle")
  .transform(
    (sent): BundleBulkChange =>
      sent.kind === "set_auto_renew" ? { kind: "set_bundle_auto_renew", on: sent.on } : { kind: "renew_bundle" },
  );

export const quoteChange = defineAction({
  name: "bundles.bulk.quoteChange",
  input: z.object({ selection }).and(change),
  run: async (ctx, { selection, ...change }) => toChangeQuote(await quoteBundleBulk(ctx, { selection, change })),
});

export const startChange = defineAction({
  name: "bundles.bulk.startChange",
  input: z.object({ selection, agreed: agreedSchema }).and(change),
  revalidate: ["/bundles"],
  run: async (ctx, { selection, agreed, ...change }) => {
    const { jobId } = await startBundleBulk(ctx, { selection, change, agreed });
    return { href: `/jobs/${jobId}` };
  },
});
