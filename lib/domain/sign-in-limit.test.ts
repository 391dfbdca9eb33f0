import fc from "fast-check";
import { expect, test } from "vitest";
import { signInAllowances, signInDelayMs } from "./sign-in-limit.ts";

const { account } = signInAllowances;

test("ten mistakes are free, then the delay doubles up to 10 seconds", () => {
  const delays = [0, 9, 10, 11, 12, 13, 14, 15, 1_000].map((failures) => signInDelayMs(failures, account));
  expect(delays).toEqual([0, 0, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test("one more mistake never shortens the delay, and no delay lasts longer than a proxy waits", () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.constantFrom(...Object.values(signInAllowances)), (failures, allowance) => {
      const delayMs = signInDelayMs(failures, allowance);
      return signInDelayMs(failures + 1, allowance) >= delayMs && delayMs <= 20_000;
    }),
  );
});
