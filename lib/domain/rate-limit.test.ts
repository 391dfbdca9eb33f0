import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FixedWindowLimiter } from "./rate-limit.ts";

const windowMs = 60_000;
const create = (maxTracked = 1000) => new FixedWindowLimiter({ windowMs, maxTracked });

describe("FixedWindowLimiter", () => {
  test("contract 1.5: requests within the limit are allowed and counted down, the next one waits for the reset", () => {
    const limiter = create();
    const answers = [0, 10_000, 59_999].map((ms) => limiter.take("key", 2, ms));
    expect(answers[0]).toEqual({ allowed: true, limit: 2, remaining: 1, resetsAtSeconds: 60, retryAfterSeconds: 0 });
    expect(answers[1]).toEqual({ allowed: true, limit: 2, remaining: 0, resetsAtSeconds: 60, retryAfterSeconds: 0 });
    expect(answers[2]).toEqual({ allowed: false, limit: 2, remaining: 0, resetsAtSeconds: 60, retryAfterSeconds: 1 });
    expect(limiter.take("key", 2, 60_000)).toMatchObject({ allowed: true, remaining: 1, resetsAtSeconds: 120 });
  });

  test("contract 1.5: no key exceeds its limit in a window, whatever other keys do", () => {
    const request = fc.record({ key: fc.constantFrom("a", "b", "c"), waitMs: fc.integer({ min: 0, max: 20_000 }) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (requests, limit) => {
        const limiter = create();
        const windows = new Map<string, { startsAtMs: number; count: number }>();
        let nowMs = 1_800_000_000_000;
        for (const { key, waitMs } of requests) {
          nowMs += waitMs;
          let window = windows.get(key);
          if (window === undefined || nowMs >= window.startsAtMs + windowMs) {
            window = { startsAtMs: nowMs, count: 0 };
            windows.set(key, window);
          }
          const decision = limiter.take(key, limit, nowMs);
          expect(decision.allowed).toBe(window.count < limit);
          if (decision.allowed) window.count++;
          expect(decision.remaining).toBe(limit - window.count);
        }
      }),
    );
  });

  test("contract 1.5: the reset is never in the past, and waiting until it suffices", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 45_000 }), { minLength: 1 }), (waits) => {
        const limiter = create();
        let nowMs = 1_800_000_000_123;
        for (const waitMs of waits) {
          nowMs += waitMs;
          const decision = limiter.take("key", 1, nowMs);
          expect(decision.resetsAtSeconds * 1000).toBeGreaterThanOrEqual(nowMs);
          expect(Number.isInteger(decision.resetsAtSeconds)).toBe(true);
          if (!decision.allowed) {
            nowMs += decision.retryAfterSeconds * 1000;
            expect(limiter.take("key", 1, nowMs).allowed).toBe(true);
          }
        }
      }),
    );
  });

  test("contract 1.5: a limit raised or lowered by an admin counts at once", () => {
    const limiter = create();
    for (let request = 0; request < 5; request++) limiter.take("key", 2, 0);
    expect(limiter.take("key", 3, 1)).toMatchObject({ allowed: true, remaining: 0 });
    expect(limiter.take("key", 1, 2)).toMatchObject({ allowed: false, remaining: 0 });
  });

  test("contract 1.5: memory stays bounded under any number of source addresses, and the newest windows are kept", () => {
    const limiter = create(100);
    for (let client = 0; client < 10_000; client++) {
      limiter.take(`client ${client}`, 1, client % 7);
      expect(limiter.trackedCount).toBeLessThanOrEqual(100);
    }
    expect(limiter.take("client 9999", 1, 10).allowed).toBe(false);
    expect(limiter.take("client 9951", 1, 10).allowed).toBe(false);
  });

  test("contract 1.5: expired windows are dropped", () => {
    const limiter = create();
    for (let client = 0; client < 400; client++) limiter.take(`client ${client}`, 1, 0);
    limiter.take("later", 1, windowMs);
    limiter.take("much later", 1, 2 * windowMs);
    expect(limiter.trackedCount).toBe(2);
  });

  test("contract 1.5: a clock set back far does not lock a client out until it has caught up", () => {
    const limiter = create();
    limiter.take("key", 1, 10 * windowMs);
    expect(limiter.take("key", 1, 10 * windowMs - 5).allowed).toBe(false);
    expect(limiter.take("key", 1, 0).allowed).toBe(true);
  });

  test("contract 1.5: a released request leaves the count as before, never with more room than the limit", () => {
    const limiter = create();
    limiter.take("key", 1, 1);
    limiter.release("key", 1);
    expect(limiter.take("key", 1, 2)).toMatchObject({ allowed: true, remaining: 0 });
    for (let time = 0; time < 3; time++) limiter.release("key", 2);
    limiter.release("never seen", 2);
    expect([4, 5].map((ms) => limiter.take("key", 1, ms).allowed)).toEqual([true, false]);
    expect(limiter.take("never seen", 1, 6)).toMatchObject({ allowed: true, remaining: 0 });
  });

  test("contract 1.5: a release after the window is over does not affect the next window", () => {
    const limiter = create();
    limiter.take("key", 1, 0);
    limiter.take("key", 1, windowMs);
    limiter.release("key", 0);
    expect(limiter.take("key", 1, windowMs + 2).allowed).toBe(false);
  });

  test("invalid options are rejected", () => {
    expect(() => new FixedWindowLimiter({ windowMs: 0, maxTracked: 10 })).toThrow(RangeError);
    expect(() => new FixedWindowLimiter({ windowMs: Number.NaN, maxTracked: 10 })).toThrow(RangeError);
    expect(() => new FixedWindowLimiter({ windowMs, maxTracked: 1 })).toThrow(RangeError);
  });
});
