import fc from "fast-check";
import { expect, test } from "vitest";
import { projectBalance } from "./projected-balance.ts";

const now = new Date("2027-01-01T12:00:00Z");
const dayAt = (offset: number, sum: bigint) => ({
  day: new Date(Date.UTC(2027, 0, 1 + offset)),
  count: 1,
  sum,
  lapseCount: 0,
  labels: [],
});

test("each week's balance is less by what was due until its end, also below zero", () => {
  const days = [dayAt(3, 40n), dayAt(8, 50n), dayAt(20, 30n)];
  const projected = projectBalance({ spendable: 100n, days, horizonDays: 20 }, now);
  expect(projected.map(({ balance }) => balance)).toEqual([60n, 10n, -20n]);
  expect(projected.at(-1)?.at).toEqual(new Date("2027-01-21T12:00:00Z"));
});

test("the balance never rises, and ends at what is left after all of the horizon", () => {
  const anyDays = fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.bigInt({ min: 0n, max: 10_000n })));
  fc.assert(
    fc.property(anyDays, (dues) => {
      const days = dues.map(([offset, sum]) => dayAt(offset, sum));
      const projected = projectBalance({ spendable: 5_000n, days, horizonDays: 90 }, now);
      const balances = projected.map(({ balance }) => balance);
      expect(balances.every((balance, index) => index === 0 || balance <= (balances[index - 1] ?? 0n))).toBe(true);
      expect(balances.at(-1)).toBe(dues.reduce((rest, [, sum]) => rest - sum, 5_000n));
    }),
  );
});
