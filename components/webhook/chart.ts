import type { StatsBucketRow } from "#lib/services/webhook/stats.ts";

export function totalsOf(buckets: readonly StatsBucketRow[]): { readonly succeeded: number; readonly failed: number } {
  return buckets.reduce(
    (sum, { succeeded, failed }) => ({ succeeded: sum.succeeded + succeeded, failed: sum.failed + failed }),
    { succeeded: 0, failed: 0 },
  );
}
