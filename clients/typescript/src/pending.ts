import { LicenseDeskError, TimeoutError } from "./errors.ts";
import { backoffMs, retryDelayMs, sleep } from "./retry.ts";
import type { Answer } from "./transport.ts";

export interface WaitOptions {
  /** Default: two minutes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A change whose outcome is open: the provider has not confirmed it, and the money is held. */
export type Pending<Known, Settled> = Known & {
  readonly status: "pending";
  /** The same call with it returns the outcome, in another process too. */
  readonly idempotencyKey: string;
  /**
   * Waits for the outcome.
   * @throws {LicenseDeskError} if the provider rejected the change: nothing was charged.
   * @throws {TimeoutError} if the outcome is still open; it can be awaited again.
   */
  settled(options?: WaitOptions): Promise<Settled>;
};

const DEFAULT_WAIT_MS = 120_000;
/** An idempotency key is kept for 24 hours. */
const MAX_WAIT_MS = 23 * 3_600_000;
/** For the last question, which may start at the deadline. */
const LEAST_TIMEOUT_MS = 1_000;

/**
 * Repeats a request under its idempotency key until its outcome is final.
 *
 * @param repeat gets the most that its answer may take
 */
export async function waitUntilSettled(
  repeat: (timeoutMs: number) => Promise<Answer>,
  idempotencyKey: string,
  { timeoutMs = DEFAULT_WAIT_MS, signal }: WaitOptions,
): Promise<Answer> {
  const deadline = Date.now() + Math.min(timeoutMs, MAX_WAIT_MS);
  const leftMs = () => deadline - Date.now();
  let cause: unknown;
  for (let polls = 0, delayMs = backoffMs(0); leftMs() > 0; polls += 1) {
    await sleep(Math.min(delayMs, leftMs()), signal);
    delayMs = backoffMs(polls);
    try {
      const answer = await repeat(Math.max(LEAST_TIMEOUT_MS, Math.ceil(leftMs())));
      if (answer.status !== 202) return answer;
    } catch (error) {
      const retryMs = error instanceof LicenseDeskError ? retryDelayMs(error, polls, MAX_WAIT_MS) : null;
      if (retryMs === null) throw error;
      delayMs = retryMs;
      cause = error;
    }
  }
  throw new TimeoutError(`The outcome is still open after ${timeoutMs} ms.`, { idempotencyKey, cause });
}
