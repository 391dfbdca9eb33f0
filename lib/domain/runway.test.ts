import fc from "fast-check";
import { expect, test } from "vitest";
import { compareRenewals, type RenewableTerm, renewalCalendar } from "./renewal.ts";
import { computeRunway, runwayByDay, topUpNeeded } from "./runway.ts";
import { addMonths } from "./term.ts";

const NOW = new Date("2027-03-10T12:00:00Z");
const DAY_MS = 86_400_000;
const HORIZON = new Date(NOW.getTime() + 90 * DAY_MS);

const terms = fc
  .array(
    fc.record({
      kind: fc.constantFrom("license" as const, "bundle" as const),
      days: fc.integer({ min: -20, max: 120 }),
      months: fc.constantFrom(1, 3, 12),
      price: fc.bigInt({ min: 0n, max: 5_000n }),
    }),
    { maxLength: 25 },
  )
  .map((drafts) =>
    drafts.map(({ kind, days, months, price }, index): RenewableTerm => {
      const expiresAt = new Date(NOW.getTime() + days * DAY_MS);
      return { kind, id: index + 1, months, price, expiresAt, anchoredAt: addMonths(expiresAt, -months) };
    }),
  );
const balances = fc.bigInt({ min: 0n, max: 60_000n });

test("adding money never shortens the runway", () => {
  fc.assert(
    fc.property(terms, balances, balances, (list, balance, more) => {
      const calendar = renewalCalendar(list, NOW, HORIZON);
      const before = computeRunway(balance, calendar).coversUntil;
      const after = computeRunway(balance + more, calendar).coversUntil;
      if (before === null) expect(after).toBeNull();
      else if (after !== null) expect(after.getTime()).toBeGreaterThanOrEqual(before.getTime());
    }),
  );
});

test("the balance covers everything due within the runway, and not one renewal more", () => {
  fc.assert(
    fc.property(terms, balances, (list, balance) => {
      const calendar = renewalCalendar(list, NOW, HORIZON);
      const { coversUntil, lapses } = computeRunway(balance, calendar);
      const paid = calendar.filter(({ dueAt }) => coversUntil === null || dueAt < coversUntil);
      const sum = paid.reduce((total, { price }) => total + (price ?? 0n), 0n);
      expect(sum <= balance).toBe(true);
      const first = lapses.find(({ price }) => price !== null);
      if (first) {
        const upToFirst = calendar.slice(0, calendar.indexOf(first) + 1);
        expect(upToFirst.reduce((total, { price }) => total + (price ?? 0n), 0n) > balance).toBe(true);
      } else expect(paid).toHaveLength(calendar.length);
    }),
  );
});

test("the top-up needed is exact: with it nothing lapses in time, with one unit less something does", () => {
  fc.assert(
    fc.property(terms, balances, fc.constantFrom(30, 60, 90), (list, balance, days) => {
      const calendar = renewalCalendar(list, NOW, HORIZON);
      const needed = topUpNeeded(balance, calendar, NOW, days);
      const lapsesInTime = (extra: bigint) =>
        computeRunway(balance + extra, calendar).lapses.filter(
          ({ dueAt }) => dueAt.getTime() <= NOW.getTime() + days * DAY_MS,
        );
      expect(lapsesInTime(needed)).toEqual([]);
      if (needed > 0n) expect(lapsesInTime(needed - 1n).length).toBeGreaterThan(0);
    }),
  );
});

test("the top-up needed grows with the days and falls with the balance", () => {
  fc.assert(
    fc.property(terms, balances, balances, (list, balance, more) => {
      const calendar = renewalCalendar(list, NOW, HORIZON);
      const [d30, d60, d90] = [30, 60, 90].map((days) => topUpNeeded(balance, calendar, NOW, days)) as [
        bigint,
        bigint,
        bigint,
      ];
      expect(d30 <= d60 && d60 <= d90).toBe(true);
      expect(topUpNeeded(balance + more, calendar, NOW, 90) <= d90).toBe(true);
    }),
  );
});

test("a license lapses once, and nothing lapses that the balance could pay in turn", () => {
  fc.assert(
    fc.property(terms, balances, (list, balance) => {
      const { lapses } = computeRunway(balance, renewalCalendar(list, NOW, HORIZON));
      expect(new Set(lapses.map(({ kind, id }) => `${kind}:${id}`)).size).toBe(lapses.length);
      expect(lapses.every(({ price }) => price === null || price > 0n)).toBe(true);
    }),
  );
});

test("the calendar is in the documented priority, starts after now, and repeats monthly renewals", () => {
  fc.assert(
    fc.property(terms, (list) => {
      const calendar = renewalCalendar(list, NOW, HORIZON);
      expect(calendar.toSorted(compareRenewals)).toEqual(calendar);
      expect(calendar.every(({ dueAt }) => dueAt > NOW && dueAt <= HORIZON)).toBe(true);
    }),
  );
  const monthly = { kind: "license" as const, id: 1, months: 1, price: 100n };
  const term = {
    ...monthly,
    anchoredAt: new Date("2027-01-31T00:00:00Z"),
    expiresAt: new Date("2027-03-31T00:00:00Z"),
  };
  expect(renewalCalendar([term], NOW, HORIZON).map(({ dueAt }) => dueAt.toISOString().slice(0, 10))).toEqual([
    "2027-03-31",
    "2027-04-30",
    "2027-05-31",
  ]);
});

test("earliest end first, then the cheapest, without a price last", () => {
  const soon = new Date(NOW.getTime() + DAY_MS);
  const later = new Date(NOW.getTime() + 2 * DAY_MS);
  const list = [
    { kind: "license" as const, id: 4, dueAt: later, price: 1n },
    { kind: "license" as const, id: 3, dueAt: soon, price: null },
    { kind: "license" as const, id: 2, dueAt: soon, price: 9n },
    { kind: "bundle" as const, id: 9, dueAt: soon, price: 5n },
    { kind: "license" as const, id: 1, dueAt: soon, price: 5n },
  ];
  expect(list.sort(compareRenewals).map(({ id }) => id)).toEqual([9, 1, 2, 3, 4]);
});

test("grouped by day, each renewal appears once, lapsed ones never again, within the balance", () => {
  fc.assert(
    fc.property(terms, balances, (list, balance) => {
      const runway = computeRunway(balance, renewalCalendar(list, NOW, HORIZON));
      const days = runwayByDay(runway);
      expect(days.flatMap(({ paid }) => paid)).toEqual(runway.paid);
      expect(days.flatMap(({ lapses }) => lapses)).toEqual(runway.lapses);
      expect(runway.paid.reduce((sum, { price }) => sum + (price ?? 0n), 0n) <= balance).toBe(true);
      for (const { day, paid, lapses } of days) {
        for (const { dueAt } of [...paid, ...lapses]) {
          expect(dueAt.toISOString().slice(0, 10)).toBe(day.toISOString().slice(0, 10));
        }
      }
      for (const lapse of runway.lapses) {
        const later = runway.paid.filter(
          ({ kind, id, dueAt }) => kind === lapse.kind && id === lapse.id && dueAt >= lapse.dueAt,
        );
        expect(later).toEqual([]);
      }
    }),
  );
});
