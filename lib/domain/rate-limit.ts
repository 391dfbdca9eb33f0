export interface FixedWindowLimiterOptions {
  readonly windowMs: number;
  /** Maximum number of keys, at least 2. Beyond it, the oldest windows are dropped. */
  readonly maxTracked: number;
}

/** Values of the rate-limit headers (contract 1.5). */
export interface RateLimitDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** UTC epoch seconds, rounded up, never in the past. */
  readonly resetsAtSeconds: number;
  /** 0 when allowed, else at least 1. */
  readonly retryAfterSeconds: number;
}

interface Count {
  readonly allowed: boolean;
  readonly limit: number;
  /** Allowed requests of the window. */
  readonly count: number;
  readonly endsAtMs: number;
  readonly nowMs: number;
}

export function decide({ allowed, limit, count, endsAtMs, nowMs }: Count): RateLimitDecision {
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - count),
    resetsAtSeconds: Math.ceil(endsAtMs / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)),
  };
}

interface Window {
  readonly startsAtMs: number;
  allowedCount: number;
}

/**
 * Allows `limit` requests per key in each window, which starts with the key's first request. Windows live in two
 * generations: new ones go to the young one, which replaces the old one after a whole window or at half of
 * `maxTracked`. By then all windows of the old one are over, unless memory ran out, so no request pays for a sweep.
 */
export class FixedWindowLimiter {
  readonly #windowMs: number;
  readonly #generationSize: number;
  #young = new Map<string, Window>();
  #old = new Map<string, Window>();
  #youngSinceMs = 0;

  /** Throws RangeError unless `windowMs` is positive and `maxTracked` at least 2. */
  constructor({ windowMs, maxTracked }: FixedWindowLimiterOptions) {
    if (!(windowMs > 0) || !(maxTracked >= 2))
      throw new RangeError("windowMs must be positive, maxTracked at least 2.");
    this.#windowMs = windowMs;
    this.#generationSize = Math.floor(maxTracked / 2);
  }

  get trackedCount(): number {
    return this.#young.size + this.#old.size;
  }

  /** Counts one request of `key`. Denied requests do not count, so a raised limit takes effect immediately. */
  take(key: string, limit: number, nowMs: number): RateLimitDecision {
    const window = this.#currentWindow(key, nowMs);
    const allowed = window.allowedCount < limit;
    if (allowed) window.allowedCount++;
    return decide({
      allowed,
      limit,
      count: window.allowedCount,
      endsAtMs: window.startsAtMs + this.#windowMs,
      nowMs,
    });
  }

  /** Uncounts a request that was allowed at `allowedAtMs`; a no-op once its window is over. */
  release(key: string, allowedAtMs: number): void {
    const window = this.#young.get(key) ?? this.#old.get(key);
    if (window && window.startsAtMs <= allowedAtMs && window.allowedCount > 0) window.allowedCount--;
  }

  #currentWindow(key: string, nowMs: number): Window {
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known !== undefined && this.#isWithinWindow(known.startsAtMs, nowMs)) return known;
    if (this.#young.size >= this.#generationSize || !this.#isWithinWindow(this.#youngSinceMs, nowMs)) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSinceMs = nowMs;
    }
    const window = { startsAtMs: nowMs, allowedCount: 0 };
    this.#young.set(key, window);
    return window;
  }

  /** Tolerates a clock set back by more than a window, which would otherwise lock clients out. */
  #isWithinWindow(startsAtMs: number, nowMs: number): boolean {
    return Math.abs(nowMs - startsAtMs) < this.#windowMs;
  }
}
