import type { ChangeQuote } from "#components/bulk/license-change.ts";
import { bulkObstacles } from "#lib/domain/bulk-license.ts";
import type { BulkQuote } from "#lib/services/bulk/plan.ts";

/** The answer of a quote, which may be stored as JSON under an idempotency key. */
export function toChangeQuote({ skipped, total, spendable, currency, count, affordable }: BulkQuote): ChangeQuote {
  return {
    count,
    currency,
    affordable: { count: affordable.count, total: affordable.total.toString() },
    skipped: skipped.map(({ reason, count: left }) => ({ reason: bulkObstacles[reason], count: left })),
    total: total.toString(),
    spendable: spendable.toString(),
  };
}
