import fc from "fast-check";
import { expect, test } from "vitest";
import { signInAllowances, signInWaitSeconds } from "./sign-in-limit.ts";

const { account } = signInAllowances;

test("ten mistakes are free, then each makes wait twice as long, at most a quarter of an hour", () => {
  expect([0, 9, 10, 11, 12, 13, 14, 15, 1_000].map((count) => signInWaitSeconds(count, account))).toEqual([
    0, 0, 60, 120, 240, 480, 900, 900, 900,
  ]);
});

test("one more mistake never makes wait less", () => {
  fc.assert(
    fc.property(fc.nat(10_000), (count) => signInWaitSeconds(count + 1, account) >= signInWaitSeconds(count, account)),
  );
});
