import { z } from "zod";
import { agreedTotal } from "#app/(dashboard)/fields.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { parameter } from "#lib/http/parameters.ts";

/** As many characters as an address of the list may have. */
const MAX_SEARCH_LENGTH = 4_000;

/** The query of the list's page, of which only the filter counts. */
export const searchSchema = z.string().max(MAX_SEARCH_LENGTH);

export const selectionSchema = z.union([
  z.strictObject({ ids: z.array(z.int32().positive()).min(1).max(MAX_BULK_ITEMS).readonly() }),
  z.strictObject({ search: searchSchema }),
]);

/** A change with its own fields beside the selection, so that what is wrong with one is said beside it. */
export const changeSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("renew"), months: z.int32().positive().optional() }),
  z.strictObject({ kind: z.literal("suspend"), reason: parameter.reason.transform((reason) => reason?.trim() ?? "") }),
  z.strictObject({ kind: z.literal("unsuspend") }),
  z.strictObject({ kind: z.literal("terminate") }),
  z.strictObject({ kind: z.literal("set_notes"), notes: parameter.notes.transform((notes) => notes?.trim() ?? "") }),
  z.strictObject({
    kind: z.literal("set_customer"),
    customerName: parameter.customerName,
    customerEmail: parameter.customerEmail,
    customerReference: parameter.customerReference,
  }),
  z.strictObject({ kind: z.literal("add_tags"), tags: parameter.tags }),
  z.strictObject({ kind: z.literal("remove_tags"), tags: parameter.tags }),
  z.strictObject({ kind: z.literal("set_auto_renew"), on: z.boolean() }),
]);

export const agreedSchema = z.strictObject({ count: z.int32().nonnegative(), total: agreedTotal });
