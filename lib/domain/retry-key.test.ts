import { expect, test } from "vitest";
import { LOST_AFTER_MS, purchaseRetryKey, retryKey } from "./retry-key.ts";

const STEP_MS = LOST_AFTER_MS / 20;
const DAY_MS = 24 * 3_600_000;
const attempts = Array.from({ length: DAY_MS / STEP_MS }, (_, step) => ({
  atMs: step * STEP_MS,
  key: retryKey("operation:0:undo", step * STEP_MS),
})).filter(({ key }) => key !== null);

test("no key is used before every request under another one counts as lost", () => {
  for (const [index, { atMs, key }] of attempts.entries()) {
    const next = attempts[index + 1];
    if (next && next.key !== key) expect(next.atMs - atMs).toBeGreaterThan(LOST_AFTER_MS);
  }
});

test("a rejection is tried again at once, within half an hour, and eight times in a day", () => {
  const firsts = new Map(attempts.toReversed().map(({ atMs, key }) => [key, atMs / 60_000]));
  expect([...firsts.values()].toReversed()).toEqual([0, 20, 40, 80, 160, 320, 640, 1280]);
});

test("a purchase has other keys until an hour before its first rejection may be forgotten, and none afterwards", () => {
  const keys = attempts.map(({ atMs }) => [atMs, purchaseRetryKey("operation:0", atMs)] as const);
  const last = keys.findLast(([, key]) => key !== null)?.[0] ?? 0;
  expect(DAY_MS - last).toBeGreaterThan(3_600_000);
  expect(purchaseRetryKey("operation:0", 2 * DAY_MS)).toBeNull();
});
