/**
 * A stalled process may still send a request that the provider cannot void; after this time it counts as lost
 * (docs/providers.md).
 */
export const LOST_AFTER_MS = 10 * 60_000;

/**
 * Key for another attempt at a revert that the provider rejects under its first key, which repeats the rejection for a
 * day. Null: not now. A late revert would move an address back that its reseller has meanwhile changed again, so no two
 * keys are ever on their way at once: the first one was answered right before, and each other one is used only until
 * LOST_AFTER_MS before the next. They double in length, because the provider counts what it rejects for a taken address.
 * @param elapsedMs since the operation was sent
 */
export function retryKey(firstKey: string, elapsedMs: number): string | null {
  const elapsed = Math.floor(elapsedMs / LOST_AFTER_MS);
  const from = elapsed < 1 ? 0 : 2 ** Math.floor(Math.log2(elapsed));
  const isLastBeforeNext = elapsed + 1 === Math.max(1, from) * 2;
  return isLastBeforeNext ? null : `${firstKey}:${from}`;
}

/**
 * An hour less than the provider stores a rejection (contract 1.11). Then it would carry the first request out, and the
 * last one under another key has to count as lost before.
 */
const REPEATED_FOR_MS = 23 * 3_600_000;

/** `retryKey` for a purchase whose first key repeats a rejection. Null for good when that may be forgotten. */
export function purchaseRetryKey(firstKey: string, elapsedMs: number): string | null {
  return elapsedMs < REPEATED_FOR_MS ? retryKey(firstKey, elapsedMs) : null;
}
