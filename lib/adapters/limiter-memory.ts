import { FixedWindowLimiter } from "#lib/domain/rate-limit.ts";
import type { Limiter, LimiterOptions, LimiterStore } from "#lib/ports/limiter.ts";

/** Counts in this process. */
export const memoryLimiters: LimiterStore = {
  limiter(options: LimiterOptions): Limiter {
    const counts = new FixedWindowLimiter(options);
    const take: Limiter["takeHere"] = (...request) => counts.take(...request);
    return { take, takeHere: take, release: (key, allowedAtMs) => counts.release(key, allowedAtMs) };
  },
  close: async () => undefined,
};
