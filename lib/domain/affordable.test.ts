import { expect, test } from "vitest";
import { computeAffordable } from "./affordable.ts";

test("charges are paid in order; one above the remaining balance is skipped", () => {
  const pay = (prices: readonly bigint[], balance: bigint) => computeAffordable(prices, (price) => price, balance);
  expect(pay([10n, 20n, 5n, 1n], 16n)).toEqual({ count: 3, total: 16n, paid: [10n, 5n, 1n] });
  expect(pay([10n, 10n], 20n)).toEqual({ count: 2, total: 20n, paid: [10n, 10n] });
  expect(pay([10n, 0n], 9n)).toEqual({ count: 1, total: 0n, paid: [0n] });
  expect(pay([10n], -1n)).toEqual({ count: 0, total: 0n, paid: [] });
  expect(pay([], 5n)).toEqual({ count: 0, total: 0n, paid: [] });
});
