const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delay before each attempt, from the end of the previous one (contract 4.3). */
export const retryDelaysMs: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

export const MAX_ATTEMPTS = retryDelaysMs.length;

/** Relative variation of a delay, so attempts that failed together are spread out. */
const JITTER = 0.1;
/** Cap on a receiver's `Retry-After`: the longest delay of the schedule. */
export const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/**
 * Delay before the next attempt after consecutive `failures`; null if there is none.
 * @param retryAfterMs requested by the receiver; only lengthens the delay
 * @param random from 0 to 1, exclusive
 */
export function nextDelayMs(failures: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = retryDelaysMs[failures];
  if (delayMs === undefined) return null;
  const jitteredMs = Math.round(delayMs * (1 + JITTER * (2 * random - 1)));
  return Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
}

/** Parses `Retry-After`: seconds, or an HTTP date (0 if past). Null for anything else. */
export function parseRetryAfterMs(header: string, now: Date): number | null {
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  if (!/^[A-Za-z]{3,9},/.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - now.getTime());
}
