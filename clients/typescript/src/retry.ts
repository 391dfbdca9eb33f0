import type { LicenseDeskError } from "./errors.ts";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

const RETRYABLE_STATUSES = new Set([408, 429, 502, 503, 504]);
const RETRYABLE_CODES = new Set<string>(["IDEMPOTENCY_IN_PROGRESS", "OPERATION_IN_PROGRESS"]);

function isRetryable({ status, code }: LicenseDeskError): boolean {
  return status === null || RETRYABLE_STATUSES.has(status) || RETRYABLE_CODES.has(code);
}

/** Grows with each attempt, from 0, and varies by half. */
export function backoffMs(attempt: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** How long to wait after a failed attempt, at most `leftMs`; null: the error is final, or must wait longer. */
export function retryDelayMs(error: LicenseDeskError, attempt: number, leftMs: number): number | null {
  const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (!isRetryable(error) || leftMs <= 0 || retryAfterMs > leftMs) return null;
  return Math.min(Math.max(retryAfterMs, backoffMs(attempt)), leftMs);
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
