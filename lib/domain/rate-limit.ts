export interface FixedWindowLimiterOptions {
  readonly windowMs: number;
  /** Most keys remembered at once, at least 2. Beyond it the windows that began first are forgotten. */
  readonly maxTracked: number;
}

/** What the rate-limit headers say (contract 1.5). */
export interface RateLimitDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** UTC epoch seconds, rounded up, never in the past. */
  readonly resetsAtSeconds: number;
  /** 0 when allowed, else at least 1. */
  readonly retryAfterSeconds: number;
}

interface Window {
  readonly startsAtMs: number;
  allowedCount: number;
}

/**
 * At most `limit` requests a key in each window, which begins with the key's first request.
 *
 * Windows live in two generations. A new window goes to the young one; when that is a whole window old, or half of
 * `maxTracked`, it becomes the old one and the former old one is dropped whole. By then all of its windows are over,
 * unless memory ran out. So no request pays for a sweep or for bookkeeping of ages.
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

  /** Keys remembered at present. */
  get trackedCount(): number {
    return this.#young.size + this.#old.size;
  }

  /** Counts one request of `key`. A refused request does not count, so a raised limit helps at once. */
  take(key: string, limit: number, nowMs: number): RateLimitDecision {
    const window = this.#currentWindow(key, nowMs);
    const allowed = window.allowedCount < limit;
    if (allowed) window.allowedCount++;
    const endsAtMs = window.startsAtMs + this.#windowMs;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - window.allowedCount),
      resetsAtSeconds: Math.ceil(endsAtMs / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)),
    };
  }

  /** Undoes the count of a request that was allowed at `takenAtMs`; nothing once that window is over. */
  giveBack(key: string, takenAtMs: number): void {
    const window = this.#young.get(key) ?? this.#old.get(key);
    if (window && window.startsAtMs <= takenAtMs && window.allowedCount > 0) window.allowedCount--;
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

  /** A clock that was set back by more than a window must not lock anyone out until it has caught up. */
  #isWithinWindow(startsAtMs: number, nowMs: number): boolean {
    return Math.abs(nowMs - startsAtMs) < this.#windowMs;
  }
}
