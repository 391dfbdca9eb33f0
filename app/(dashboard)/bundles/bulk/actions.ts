"use server";
import { searchSchema } from "#app/(dashboard)/licenses/bulk/action-schemas.ts";
import { presentQuote } from "#app/(dashboard)/licenses/bulk/present.ts";
import type { ChangeQuote, ChangeRequest, StartRequest } from "#components/bulk/license-change.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { quoteBundleBulk } from "#lib/services/bulk/quote-bundles.ts";
import { startBundleBulk } from "#lib/services/bulk/start-bundles.ts";
import { countOwnBundleInstances } from "#lib/services/bundle/list.ts";
import { quoteSchema, startSchema } from "./action-schemas.ts";

/** How many bundles there are, up to one more than can be changed at once. */
export async function countBundles(search: string): Promise<ActionResult<number>> {
  return runAction({
    name: "bundles.bulk.countBundles",
    schema: searchSchema,
    input: search,
    run: (ctx) => countOwnBundleInstances(ctx),
  });
}

export async function quoteChange(request: ChangeRequest): Promise<ActionResult<ChangeQuote>> {
  return runAction({
    name: "bundles.bulk.quoteChange",
    schema: quoteSchema,
    input: request,
    run: async (ctx, input) => presentQuote(await quoteBundleBulk(ctx, input)),
  });
}

export async function startChange(
  request: StartRequest,
  idempotencyKey: string,
): Promise<ActionResult<{ readonly href: string }>> {
  const result = await runAction({
    name: "bundles.bulk.startChange",
    schema: startSchema,
    input: request,
    idempotencyKey,
    run: async (ctx, { agreed: { count, total }, ...input }) => {
      const { jobId } = await startBundleBulk(ctx, { ...input, agreed: { count, total: BigInt(total) } });
      return { href: `/jobs/${jobId}` };
    },
  });
  return shownAnew(result, "/bundles");
}
