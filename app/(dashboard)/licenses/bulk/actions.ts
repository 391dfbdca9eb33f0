"use server";
import type { ChangeQuote, ChangeRequest, StartRequest } from "#components/bulk/license-change.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import { partsOf, runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { quoteLicenseBulk } from "#lib/services/bulk/quote-licenses.ts";
import { startLicenseBulk } from "#lib/services/bulk/start-licenses.ts";
import { countLicenses } from "#lib/services/license/list.ts";
import { filterOfSearch, quoteSchema, searchSchema, startSchema } from "./action-schemas.ts";
import { presentQuote } from "./present.ts";

/** How many licenses match the list's filter, up to one more than can be changed at once. */
export async function countMatching(search: string): Promise<ActionResult<number>> {
  return runAction({
    name: "licenses.bulk.countMatching",
    schema: searchSchema,
    input: search,
    run: async (ctx, query) => {
      const { count, more } = await countLicenses(ctx, { filter: filterOfSearch(query) });
      return more ? count + 1 : count;
    },
  });
}

export async function quoteChange(request: ChangeRequest): Promise<ActionResult<ChangeQuote>> {
  const { selection, change } = partsOf(request);
  return runAction({
    name: "licenses.bulk.quoteChange",
    schema: quoteSchema,
    input: { selection, ...change },
    run: async (ctx, { selection, ...change }) => {
      return presentQuote(await quoteLicenseBulk(ctx, { selection, change }));
    },
  });
}

export async function startChange(
  request: StartRequest,
  idempotencyKey: string,
): Promise<ActionResult<{ readonly href: string }>> {
  const { selection, change, agreed } = partsOf(request);
  const result = await runAction({
    name: "licenses.bulk.startChange",
    schema: startSchema,
    input: { selection, agreed, ...change },
    idempotencyKey,
    run: async (ctx, { selection, agreed, ...change }) => {
      const { count, total } = agreed;
      const agreedTo = { count, total: BigInt(total) };
      const { jobId } = await startLicenseBulk(ctx, { selection, change, agreed: agreedTo });
      return { href: `/jobs/${jobId}` };
    },
  });
  return shownAnew(result, "/licenses");
}
