import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_ATTEMPTS, nextDelayMs, parseRetryAfterMs, RETRY_AFTER_MAX_MS, retryDelaysMs } from "./retry.ts";

const failures = fc.integer({ min: 0, max: MAX_ATTEMPTS - 1 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const now = new Date("2027-03-10T12:00:00Z");

test("the schedule is that of contract 4.3", () => {
  const hour = 3_600_000;
  const expected = [0, 5_000, 300_000, hour / 2, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
  expect(retryDelaysMs).toEqual(expected);
  expect(expected.map((_, failures) => nextDelayMs(failures, null, 0.5))).toEqual(expected);
  expect(nextDelayMs(10, null, 0.5)).toBeNull();
  expect(nextDelayMs(10, 60_000, 0.5)).toBeNull();
});

test("jitter stays within a tenth of the delay, either way", () => {
  fc.assert(
    fc.property(failures, random, (failed, chance) => {
      const delayMs = retryDelaysMs[failed] ?? 0;
      const waitMs = nextDelayMs(failed, null, chance) ?? -1;
      expect(waitMs).toBeGreaterThanOrEqual(Math.floor(delayMs * 0.9));
      expect(waitMs).toBeLessThanOrEqual(Math.ceil(delayMs * 1.1));
    }),
  );
});

test("for equal jitter, each delay is longer than the previous one", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_ATTEMPTS - 2 }), random, (failed, chance) => {
      expect(nextDelayMs(failed + 1, null, chance)).toBeGreaterThan(nextDelayMs(failed, null, chance) ?? Infinity);
    }),
  );
});

test("Retry-After only lengthens the delay, up to a day", () => {
  fc.assert(
    fc.property(failures, random, fc.integer({ min: 0, max: 10 ** 12 }), (failed, chance, askedMs) => {
      const waitMs = nextDelayMs(failed, askedMs, chance) ?? -1;
      const ownMs = nextDelayMs(failed, null, chance) ?? -1;
      expect(waitMs).toBe(Math.max(ownMs, Math.min(askedMs, RETRY_AFTER_MAX_MS)));
    }),
  );
});

test.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["Wed, 10 Mar 2027 12:01:00 GMT", 60_000],
  ["Wed, 10 Mar 2027 11:00:00 GMT", 0],
  ["-5", null],
  ["1.5", null],
  ["soon", null],
  ["2027-03-10", null],
  ["99999999999999999999", null],
  ["", null],
])("Retry-After %j is %j ms", (header, expected) => {
  expect(parseRetryAfterMs(header, now)).toBe(expected);
});
