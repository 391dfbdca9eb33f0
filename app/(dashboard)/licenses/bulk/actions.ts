"use server";
import { z } from "zod";
import { filterOf } from "#app/(dashboard)/licenses/view.ts";
import { loadLicenseParams } from "#components/license/license-params.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { planAddressChanges } from "#lib/services/bulk/address-plan.ts";
import type { LicenseSelection } from "#lib/services/bulk/license-plan.ts";
import { quoteLicenseBulk } from "#lib/services/bulk/quote-licenses.ts";
import { startAddressChanges } from "#lib/services/bulk/start-address-changes.ts";
import { startLicenseBulk } from "#lib/services/bulk/start-licenses.ts";
import { countLicenses } from "#lib/services/license/list.ts";
import { addressesSchema, agreedSchema, changeSchema, searchSchema, selectionSchema } from "./action-schemas.ts";
import { toChangeQuote, toSkipped } from "./change-quote.ts";

/** How many licenses match the list's filter, up to one more than can be changed at once. */
export const countMatching = defineAction({
  name: "licenses.bulk.countMatching",
  input: searchSchema,
  run: async (ctx, query) => {
    const { count, more } = await countLicenses(ctx, { filter: filterOfSearch(query) });
    return more ? count + 1 : count;
  },
});

const selection = selectionSchema.transform(
  (sent): LicenseSelection => ("ids" in sent ? { licenseIds: sent.ids } : { filter: filterOfSearch(sent.search) }),
);

export const quoteChange = defineAction({
  name: "licenses.bulk.quoteChange",
  input: z.object({ selection }).and(changeSchema),
  run: async (ctx, { selection, ...change }) => toChangeQuote(await quoteLicenseBulk(ctx, { selection, change })),
});

export const startChange = defineAction({
  name: "licenses.bulk.startChange",
  input: z.object({ selection, agreed: agreedSchema, typed_count: z.string().trim().optional() }).and(changeSchema),
  revalidate: ["/licenses"],
  run: async (ctx, { selection, agreed, typed_count, ...change }) => {
    if (change.kind === "terminate" && typed_count !== String(agreed.count)) {
      const details = { typed_count: `Type ${agreed.count} to confirm.` };
      throw new DomainError("parameters_invalid", "Check the marked fields.", { details });
    }
    const { jobId } = await startLicenseBulk(ctx, { selection, change, agreed });
    return { href: `/jobs/${jobId}` };
  },
});

export const listMovable = defineAction({
  name: "licenses.bulk.listMovable",
  input: selection,
  run: async (ctx, selection) => {
    const { movable, skipped } = await planAddressChanges(ctx, { selection });
    return {
      movable: movable.map(({ id, productName, ipAddress }) => ({ id: Number(id), productName, ipAddress })),
      skipped: toSkipped(skipped),
    };
  },
});

export const startAddresses = defineAction({
  name: "licenses.bulk.startAddresses",
  input: addressesSchema,
  revalidate: ["/licenses"],
  run: async (ctx, moves) => {
    const { jobId } = await startAddressChanges(ctx, { moves });
    return { href: `/jobs/${jobId}` };
  },
});

function filterOfSearch(search: string) {
  return filterOf(loadLicenseParams(new URLSearchParams(search)));
}
