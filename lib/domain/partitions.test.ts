import fc from "fast-check";
import { expect, test } from "vitest";
import { findPartitionProblem, isOutdated, listPeriods } from "./partitions.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const date = fc.date({ min: new Date("1960-01-01Z"), max: new Date("2100-01-01Z"), noInvalidDate: true });

test("periods are weeks from Monday, UTC, without a gap, and have every time asked for", () => {
  fc.assert(
    fc.property(date, fc.integer({ min: 0, max: 200 * DAY_MS }), (from, lengthMs) => {
      const to = new Date(from.getTime() + lengthMs);
      const periods = listPeriods(from, to);
      for (const [index, period] of periods.entries()) {
        expect(period.from.getUTCDay()).toBe(1);
        expect(period.from.toISOString()).toMatch(/T00:00:00.000Z$/);
        expect(period.until.getTime() - period.from.getTime()).toBe(WEEK_MS);
        expect(period.from).toEqual(periods[index - 1]?.until ?? period.from);
      }
      expect(periods[0]?.from.getTime()).toBeLessThanOrEqual(from.getTime());
      expect(periods[0]?.until.getTime()).toBeGreaterThan(from.getTime());
      expect(periods.at(-1)?.from.getTime()).toBeLessThanOrEqual(to.getTime());
      expect(periods.at(-1)?.until.getTime()).toBeGreaterThan(to.getTime());
    }),
  );
});

test("a border belongs to the week that it begins", () => {
  const monday = new Date("2027-03-08T00:00:00Z");
  expect(listPeriods(monday, monday)).toEqual([{ from: monday, until: new Date("2027-03-15T00:00:00Z") }]);
  const before = new Date(monday.getTime() - 1);
  expect(listPeriods(before, before)).toEqual([{ from: new Date("2027-03-01T00:00:00Z"), until: monday }]);
});

test("a period is outdated once its last possible row is older than the table keeps", () => {
  const table = { name: "t", time: "at", keptMs: 14 * DAY_MS };
  const period = { from: new Date("2027-03-01T00:00:00Z"), until: new Date("2027-03-08T00:00:00Z") };
  expect(isOutdated(period, table, new Date("2027-03-21T23:59:59.999Z"))).toBe(false);
  expect(isOutdated(period, table, new Date("2027-03-22T00:00:00Z"))).toBe(true);
});

const NOW = new Date("2027-03-10T12:00:00Z");
const endIn = (days: number) => NOW.getTime() / 1_000 + days * 86_400;

test.each([
  ["nothing", { end: endIn(7), hasStrays: false }, null],
  ["that they end", { end: endIn(6.9), hasStrays: false }, "The partitions of table t end in 6 days"],
  ["that they have ended", { end: endIn(0), hasStrays: true }, "Table t has no partition for new rows"],
  ["that there is none", { end: null, hasStrays: false }, "Table t has no partition for new rows"],
  ["rows without one", { end: endIn(14), hasStrays: true }, "Table t has rows without a partition of their own"],
])("partitions report %s", (_, state, problem) => {
  const healthy = { table: "other", end: endIn(14), hasStrays: false };
  expect(findPartitionProblem([healthy, { table: "t", ...state }], NOW)).toBe(problem);
});
