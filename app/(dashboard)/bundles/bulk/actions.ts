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
import { DomainError } from "#lib/domain/errors.ts";
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

function changeOf(sent: z.output<typeof changeSchema>): BundleBulkChange {
  if (sent.kind === "set_auto_renew") return { kind: "set_bundle_auto_renew", on: sent.on };
  if (sent.kind === "renew" && sent.months === undefined) return { kind: "renew_bundle" };
  throw new DomainError("parameters_invalid", "Bundles cannot be changed like that.");
}

export const quoteChange = defineAction({
  name: "bundles.bulk.quoteChange",
  input: z.strictObject({ selection }).and(changeSchema),
  run: async (ctx, { selection, ...sent }) =>
    toChangeQuote(await quoteBundleBulk(ctx, { selection, change: changeOf(sent) })),
});

export const startChange = defineAction({
  name: "bundles.bulk.startChange",
  input: z.strictObject({ selection, agreed: agreedSchema }).and(changeSchema),
  revalidate: ["/bundles"],
  run: async (ctx, { selection, agreed, ...sent }) => {
    const { jobId } = await startBundleBulk(ctx, { selection, change: changeOf(sent), agreed });
    return { href: `/jobs/${jobId}` };
  },
});
