import { expect, test } from "vitest";
import { affordableOf } from "./affordable.ts";

test("a balance pays in order, passes over what it does not reach, and pays what comes later and costs less", () => {
  expect(affordableOf([10n, 20n, 5n, 1n], 16n)).toEqual({ count: 3, total: 16n });
  expect(affordableOf([10n, 10n], 20n)).toEqual({ count: 2, total: 20n });
  expect(affordableOf([10n, 0n], 9n)).toEqual({ count: 1, total: 0n });
  expect(affordableOf([10n], -1n)).toEqual({ count: 0, total: 0n });
  expect(affordableOf([], 5n)).toEqual({ count: 0, total: 0n });
});
