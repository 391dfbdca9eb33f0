import { beforeEach, expect, test, vi } from "vitest";
import { rechecked } from "./access-ended.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  return () => vi.useRealTimers();
});

test("access is checked again after a moment, not before: a short response is never cut off", async () => {
  const hasAccess = vi.fn(async () => false);
  const check = rechecked(200, hasAccess);
  vi.advanceTimersByTime(199);
  expect(await check()).toBe(true);
  expect(hasAccess).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(await check()).toBe(false);
});

test("access that goes on is checked again and again", async () => {
  let access = true;
  const check = rechecked(200, async () => access);
  for (let count = 0; count < 3; count++) {
    vi.advanceTimersByTime(200);
    expect(await check()).toBe(true);
  }
  access = false;
  expect(await check()).toBe(true);
  vi.advanceTimersByTime(200);
  expect(await check()).toBe(false);
});

test("what was checked long ago is checked at once", async () => {
  const check = rechecked(200, async () => false, performance.now() - 200);
  expect(await check()).toBe(false);
});
