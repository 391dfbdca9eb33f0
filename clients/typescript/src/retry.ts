import type { LicenseDeskError } from "./errors.ts";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Rate limits end within a minute. A longer `Retry-After` is for the caller to decide. */
const MAX_RETRY_AFTER_SECONDS = 60;

const RETRYABLE_STATUSES = new Set([408, 429, 502, 503, 504]);
const RETRYABLE_CODES = new Set<string>(["IDEMPOTENCY_IN_PROGRESS", "OPERATION_IN_PROGRESS"]);

function isRetryable({ status, code }: LicenseDeskError): boolean {
  return status === null || RETRYABLE_STATUSES.has(status) || RETRYABLE_CODES.has(code);
}

/** Grows with each attempt, from 0, and varies by half. */
export function backoffMs(attempt: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** How long to wait after a failed attempt; null: the error is final. */
export function retryDelayMs(error: LicenseDeskError, attempt: number): number | null {
  const retryAfterSeconds = error.retryAfterSeconds ?? 0;
  if (!isRetryable(error) || retryAfterSeconds > MAX_RETRY_AFTER_SECONDS) return null;
  return Math.max(retryAfterSeconds * 1000, backoffMs(attempt));
}

/** @throws the signal's reason once it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
