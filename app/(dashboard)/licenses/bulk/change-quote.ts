import type { ChangeQuote, SelectionOwner, SkippedCount } from "#components/bulk/license-change.ts";
import { bulkObstacles } from "#lib/domain/bulk-license.ts";
import { formatUnitId } from "#lib/domain/ids.ts";
import type { BulkQuote } from "#lib/services/bulk/plan.ts";
import type { LicenseBulkQuote } from "#lib/services/bulk/quote-licenses.ts";

/** The answer of a quote, which may be stored as JSON under an idempotency key. */
export function toChangeQuote(
  quote: BulkQuote & Partial<LicenseBulkQuote>,
  reseller: SelectionOwner | null = null,
): ChangeQuote {
  const { skipped, total, funds, newExpiry, currency, count, cycleLengths = [], only } = quote;
  return {
    count,
    currency,
    skipped: toSkipped(skipped),
    total: total.toString(),
    funds: funds && {
      spendable: funds.spendable.toString(),
      affordable: { count: funds.affordable.count, total: funds.affordable.total.toString() },
    },
    newExpiry: newExpiry && { first: newExpiry.first.toISOString(), last: newExpiry.last.toISOString() },
    cycleLengths,
    only: only && { id: formatUnitId(only.target) ?? "", name: only.name },
    reseller: reseller && { id: Number(reseller.id), name: reseller.name },
  };
}

export function toSkipped(skipped: BulkQuote["skipped"]): SkippedCount[] {
  return skipped.map(({ reason, count }) => ({ reason: bulkObstacles[reason], count }));
}
