"use server";
import { z } from "zod";
import { askIfMeant, id, meantAddress, serverAddresses } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { MAX_ADDRESS_CHANGES } from "#lib/domain/bulk.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { parameter } from "#lib/http/parameters.ts";
import { planAddressChanges } from "#lib/services/bulk/address-plan.ts";
import { quoteLicenseBulk } from "#lib/services/bulk/quote-licenses.ts";
import { startAddressChanges } from "#lib/services/bulk/start-address-changes.ts";
import { startLicenseBulk } from "#lib/services/bulk/start-licenses.ts";
import { onBehalfOf } from "#lib/services/context.ts";
import { countLicenses } from "#lib/services/license/list.ts";
import { agreedSchema, changeSchema, searchSchema, selectionSchema } from "./action-schemas.ts";
import { toChangeQuote, toSkipped } from "./change-quote.ts";
import { readSearch, readSelected } from "./selected.ts";

/**
 * How many licenses match the list's filter, up to one more than can be changed at once. None of an admin's list of all
 * resellers, which is not changed at once.
 */
export const countMatching = defineAction({
  name: "licenses.bulk.countMatching",
  input: searchSchema,
  run: async (ctx, query, _, user) => {
    const { filter, resellerId } = readSearch(query);
    if (user.kind === "admin" && resellerId === null) return 0;
    const acting = user.kind === "admin" && resellerId !== null ? onBehalfOf(ctx, resellerId, []) : ctx;
    const { count, more } = await countLicenses(acting, { filter });
    return more ? count + 1 : count;
  },
});

export const quoteChange = defineAction({
  name: "licenses.bulk.quoteChange",
  input: z.strictObject({ selection: selectionSchema }).and(changeSchema),
  run: async (ctx, { selection: sent, ...change }) => {
    const { ctx: acting, selection, reseller } = await readSelected(ctx, sent);
    return toChangeQuote(await quoteLicenseBulk(acting, { selection, change }), reseller);
  },
});

export const startChange = defineAction({
  name: "licenses.bulk.startChange",
  input: z
    .strictObject({ selection: selectionSchema, agreed: agreedSchema, typed_count: z.string().trim().optional() })
    .and(changeSchema),
  revalidate: ["/licenses"],
  run: async (ctx, { selection: sent, agreed, typedCount, ...change }) => {
    if (change.kind === "terminate" && typedCount !== String(agreed.count)) {
      const details = { typed_count: `Type ${agreed.count} to confirm.` };
      throw new DomainError("parameters_invalid", "Check the marked fields.", { details });
    }
    if ("tags" in change && change.tags.length === 0) {
      const details = { tags: "Write at least one tag." };
      throw new DomainError("parameters_invalid", "Check the marked fields.", { details });
    }
    const { ctx: acting, selection } = await readSelected(ctx, sent);
    const { jobId } = await startLicenseBulk(acting, { selection, change, agreed });
    return { href: `/jobs/${jobId}` };
  },
});

export const listMovable = defineAction({
  name: "licenses.bulk.listMovable",
  input: selectionSchema,
  run: async (ctx, sent) => {
    const { ctx: acting, selection, reseller } = await readSelected(ctx, sent);
    const { movable, skipped } = await planAddressChanges(acting, { selection });
    return {
      movable: movable.map(({ id, productName, ipAddress }) => ({ id: Number(id), productName, ipAddress })),
      skipped: toSkipped(skipped),
      reseller: reseller && { id: Number(reseller.id), name: reseller.name },
    };
  },
});

const addressesSchema = z
  .strictObject({
    licenses: z
      .array(z.strictObject({ license_id: id(), from: parameter.licenseAddress }))
      .min(1)
      .max(MAX_ADDRESS_CHANGES)
      .readonly(),
    new_ips: serverAddresses,
    meant_address: meantAddress,
  })
  .check(askIfMeant("new_ips"))
  .transform(({ licenses, new_ips }, { issues }) => {
    const servers = [...new Set(licenses.map(({ from }) => from))];
    const [first] = new_ips;
    if (first !== undefined && (new_ips.length === 1 || new_ips.length === servers.length)) {
      const targets = new Map(servers.map((from, at) => [from, new_ips[at] ?? first]));
      return licenses.map(({ license_id, from }) => ({ licenseId: license_id, from, to: targets.get(from) ?? first }));
    }
    const message = `Enter ${servers.length} addresses, one for each, or a single one for all. These are ${new_ips.length}.`;
    issues.push({ code: "custom", path: ["new_ips"], input: new_ips, message });
    return z.NEVER;
  });

export const startAddresses = defineAction({
  name: "licenses.bulk.startAddresses",
  input: addressesSchema,
  revalidate: ["/licenses"],
  run: async (ctx, moves) => {
    const { ctx: acting } = await readSelected(ctx, { ids: moves.map(({ licenseId }) => licenseId) });
    const { jobId } = await startAddressChanges(acting, { moves });
    return { href: `/jobs/${jobId}` };
  },
});
