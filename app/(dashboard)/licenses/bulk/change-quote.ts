import type { SelectionOwner } from "#components/bulk/license-change.ts";
import { bulkObstacles } from "#lib/domain/bulk-license.ts";
import { formatUnitId } from "#lib/domain/ids.ts";
import type { BulkQuote } from "#lib/services/bulk/plan.ts";
import type { LicenseBulkQuote } from "#lib/services/bulk/quote-licenses.ts";

/** The answer of a quote, which may be stored as JSON under an idempotency key. Money: minor units, as decimal text. */
export function toChangeQuote(quote: BulkQuote & Partial<LicenseBulkQuote>, reseller: SelectionOwner | null = null) {
  const { skipped, total, funds, newExpiry, currency, count, cycleLengths = [], only } = quote;
  return {
    count,
    currency,
    skipped: toSkipped(skipped),
    total: total.toString(),
    /** Null: the change is free. */
    funds: funds && {
      spendable: funds.spendable.toString(),
      /** What the balance pays for. */
      affordable: { count: funds.affordable.count, total: funds.affordable.total.toString() },
    },
    /** When the renewed terms end: ISO 8601, UTC; null: nothing is renewed. */
    newExpiry: newExpiry && { first: newExpiry.first.toISOString(), last: newExpiry.last.toISOString() },
    /** Other lengths of a term to renew by, and how many of the selected have them. */
    cycleLengths,
    /** What is selected, e.g. `lic_12` and its product; null: several. */
    only: only && { id: formatUnitId(only.target) ?? "", name: only.name },
    reseller: reseller && { id: Number(reseller.id), name: reseller.name },
  };
}

export function toSkipped(skipped: BulkQuote["skipped"]) {
  return skipped.map(({ reason, count }) => ({ reason: bulkObstacles[reason], count }));
}
