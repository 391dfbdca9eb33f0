const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Before each attempt, since the end of the one before it (contract 4.3). */
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

/** Share of a delay by which it varies, either way: what failed together is not tried again together. */
const JITTER = 0.1;
/** A receiver may put us off for as long as the longest delay of the schedule, and no longer. */
export const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/**
 * How long to wait before the next attempt, after `failures` failures in a row; null: there is no next one.
 *
 * @param retryAfterMs what the receiver asked for; it lengthens the wait and never shortens it
 * @param random from 0 to 1, exclusive
 */
export function nextDelayMs(failures: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = retryDelaysMs[failures];
  if (delayMs === undefined) return null;
  const jitteredMs = Math.round(delayMs * (1 + JITTER * (2 * random - 1)));
  return Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
}

/** Reads `Retry-After`: seconds, or an HTTP date. Null when it is neither; a date in the past is 0. */
export function parseRetryAfterMs(header: string, now: Date): number | null {
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  if (!/^[A-Za-z]{3,9},/.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - now.getTime());
}
