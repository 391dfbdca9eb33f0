/** What happened in one stretch of time. */
export interface ChartBucket {
  readonly from: Date;
  readonly succeeded: number;
  readonly failed: number;
  /** Of the attempts that succeeded; null where none did. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export function totalsOf(buckets: readonly ChartBucket[]): { readonly succeeded: number; readonly failed: number } {
  return buckets.reduce(
    (sum, { succeeded, failed }) => ({ succeeded: sum.succeeded + succeeded, failed: sum.failed + failed }),
    { succeeded: 0, failed: 0 },
  );
}
