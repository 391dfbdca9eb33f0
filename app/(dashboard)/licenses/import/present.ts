import type { ImportPlanView } from "#components/import/import-plan.ts";
import type { ImportPlan } from "#lib/services/license/plan-import.ts";

export function presentPlan({ rows, registrations, total, currency, ignoredColumns }: ImportPlan): ImportPlanView {
  return {
    rows: rows.map(({ line, cells, problems, registration }) => ({
      line,
      product: registration?.productName ?? cells.product,
      cycle: cells.cycle,
      address: cells.ip_address,
      notes: cells.notes,
      autoRenew: cells.auto_renew,
      cores: cells.cores,
      price: registration === null ? null : registration.price.toString(),
      problems,
    })),
    readyCount: registrations.length,
    total: total.toString(),
    currency,
    ignoredColumns,
  };
}
