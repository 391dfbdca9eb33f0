import fc from "fast-check";
import { expect, test } from "vitest";
import { projectBalance } from "./projected-balance.ts";
import { renewalCalendar } from "./renewal.ts";
import { topUpNeeded } from "./runway.ts";
import { addMonths } from "./term.ts";

const DAY_MS = 86_400_000;
const now = new Date("2027-01-01T12:00:00Z");
const days = (number: number) => new Date(now.getTime() + number * DAY_MS);
const horizonDays = 90;

/** A license with so many days left. */
const endingIn = (left: number, { id = 1, months = 1, price = 1000n }) => {
  const expiresAt = days(left);
  return { kind: "license" as const, id, months, price, expiresAt, anchoredAt: addMonths(expiresAt, -months) };
};

test("each week's balance is less by what was due until its end, also below zero", () => {
  const terms = [[3, 40n] as const, [8, 50n] as const, [20, 30n] as const].map(([left, price], id) =>
    endingIn(left, { id, months: 12, price }),
  );
  const projected = projectBalance(100n, renewalCalendar(terms, now, days(20)), { now, horizonDays: 20 });
  expect(projected.map(({ balance }) => balance)).toEqual([60n, 10n, -20n]);
  expect(projected.at(-1)?.at).toEqual(days(20));
});

test("a license whose first renewal the balance does not pay is missing all of its renewals", () => {
  const calendar = renewalCalendar([endingIn(10, {})], now, days(horizonDays));
  expect(calendar).toHaveLength(3);
  expect(projectBalance(500n, calendar, { now, horizonDays }).at(-1)?.balance).toBe(-2500n);
});

test("the balance never rises, and ends at what the whole calendar leaves: below zero, the needed top-up", () => {
  const term = fc.tuple(
    fc.integer({ min: 0, max: 90 }),
    fc.constantFrom(1, 3, 12),
    fc.bigInt({ min: 0n, max: 9_999n }),
  );
  fc.assert(
    fc.property(fc.array(term), fc.bigInt({ min: 0n, max: 60_000n }), (drafts, spendable) => {
      const terms = drafts.map(([left, months, price], id) => endingIn(left, { id, months, price }));
      const calendar = renewalCalendar(terms, now, days(horizonDays));
      const balances = projectBalance(spendable, calendar, { now, horizonDays }).map(({ balance }) => balance);
      expect(balances.every((balance, index) => index === 0 || balance <= (balances[index - 1] ?? 0n))).toBe(true);
      const [last = 0n] = balances.slice(-1);
      expect(last).toBe(calendar.reduce((rest, { price }) => rest - (price ?? 0n), spendable));
      expect(last < 0n ? -last : 0n).toBe(topUpNeeded(spendable, calendar, now, horizonDays));
    }),
  );
});
