import { z } from "zod";
import { agreedTotal, askIfMeant, id, meantAddress, serverAddresses } from "#app/(dashboard)/fields.ts";
import { MAX_ADDRESS_CHANGES, MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { parameter } from "#lib/http/parameters.ts";

/** As many characters as an address of the list may have. */
const MAX_SEARCH_LENGTH = 4_000;

/** The query of the list's page, of which only the filter counts. */
export const searchSchema = z.string().max(MAX_SEARCH_LENGTH);

export const selectionSchema = z.union([
  z.object({ ids: z.array(z.int32().positive()).min(1).max(MAX_BULK_ITEMS).readonly() }),
  z.object({ search: searchSchema }),
]);

/** A change with its own fields beside the selection, so that what is wrong with one is said beside it. */
export const changeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("renew"), months: z.int32().positive().optional() }),
  z.object({ kind: z.literal("suspend"), reason: parameter.reason.transform((reason) => reason?.trim() ?? "") }),
  z.object({ kind: z.literal("unsuspend") }),
  z.object({ kind: z.literal("terminate") }),
  z.object({ kind: z.literal("set_notes"), notes: parameter.notes.transform((notes) => notes?.trim() ?? "") }),
  z.object({ kind: z.literal("set_auto_renew"), on: z.boolean() }),
]);

export const agreedSchema = z.object({
  count: z.int32().nonnegative(),
  total: agreedTotal.transform((total) => BigInt(total)),
});

export const addressesSchema = z
  .object({
    licenses: z
      .array(z.object({ license_id: id(), from: parameter.licenseAddress }))
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
