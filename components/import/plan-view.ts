import { isPrivateAddress } from "#lib/domain/license-address.ts";
import { clip, NOTES_MAX_LENGTH } from "#lib/domain/text.ts";
import type { ImportPlan } from "#lib/services/license/plan-import.ts";

/** A cell that makes no sense may be of any length, and there are many. */
const SHOWN_LENGTH = 200;

/** A plan as the browser shows it. Money: minor units. */
export type ImportPlanView = Readonly<ReturnType<typeof toPlanView>>;
export type ImportPlanRow = ImportPlanView["rows"][number];

export function toPlanView({ rows, registrations, total, currency, ignoredColumns }: ImportPlan) {
  return {
    rows: rows.map(({ line, cells, problems, registration }) => ({
      /** Of the table, counted from 1. */
      line,
      /** As written, or the product's name where it was understood. */
      product: registration?.productName ?? clip(cells.product, SHOWN_LENGTH),
      cycle: clip(cells.cycle, SHOWN_LENGTH),
      address: clip(cells.ip_address, SHOWN_LENGTH),
      notes: registration?.notes ?? clip(cells.notes, NOTES_MAX_LENGTH),
      customerName: clip(cells.customer_name, SHOWN_LENGTH),
      customerEmail: clip(cells.customer_email, SHOWN_LENGTH),
      customerReference: clip(cells.customer_reference, SHOWN_LENGTH),
      // Ten tags of any length that is valid.
      tags: clip(cells.tags, NOTES_MAX_LENGTH),
      autoRenew: clip(cells.auto_renew, SHOWN_LENGTH),
      cores: clip(cells.cores, SHOWN_LENGTH),
      /** Null where there are problems. */
      price: registration?.price ?? null,
      /** Sentences; none: it can be registered. */
      problems,
    })),
    /** How many rows have no problem. */
    readyCount: registrations.length,
    /** Of these, how many are on a private address. */
    privateCount: registrations.filter(({ ipAddress }) => isPrivateAddress(ipAddress)).length,
    total,
    currency,
    ignoredColumns,
  };
}
