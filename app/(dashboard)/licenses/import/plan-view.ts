import type { ImportPlanView } from "#components/import/import-plan.ts";
import { isPrivateAddress } from "#lib/domain/license-address.ts";
import { clip, NOTES_MAX_LENGTH } from "#lib/domain/text.ts";
import type { ImportPlan } from "#lib/services/license/plan-import.ts";

/** A cell that makes no sense may be of any length, and there are many. */
const SHOWN_LENGTH = 200;

export function toPlanView({ rows, registrations, total, currency, ignoredColumns }: ImportPlan): ImportPlanView {
  return {
    rows: rows.map(({ line, cells, problems, registration }) => ({
      line,
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
      price: registration?.price ?? null,
      problems,
    })),
    readyCount: registrations.length,
    privateCount: registrations.filter(({ ipAddress }) => isPrivateAddress(ipAddress)).length,
    total,
    currency,
    ignoredColumns,
  };
}
