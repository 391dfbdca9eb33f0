import { z } from "zod";
import { agreedSchema, searchSchema } from "#app/(dashboard)/licenses/bulk/action-schemas.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import type { BundleBulkChange } from "#lib/domain/bulk-bundle.ts";
import type { BundleSelection } from "#lib/services/bulk/bundle-plan.ts";

/** The list has no filter, so whatever matches it is all. */
const selectionSchema = z
  .union([
    z.object({ ids: z.array(z.int32().positive()).min(1).max(MAX_BULK_ITEMS) }),
    z.object({ search: searchSchema }),
  ])
  .transform((sent): BundleSelection => ("ids" in sent ? { bundleInstanceIds: sent.ids } : "all"));

const changeSchema = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("renew") }),
    z.object({ kind: z.literal("set_auto_renew"), on: z.boolean() }),
  ])
  .transform(
    (sent): BundleBulkChange =>
      sent.kind === "renew" ? { kind: "renew_bundle" } : { kind: "set_bundle_auto_renew", on: sent.on },
  );

export const quoteSchema = z.object({ selection: selectionSchema, change: changeSchema });
export const startSchema = quoteSchema.extend({ agreed: agreedSchema });
