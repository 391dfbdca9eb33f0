import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDay, parseTimestamp, startOfNextDay, toDay, toTimestamp } from "./times.ts";

describe("times", () => {
  test("contract 1.10: UTC without fraction, and the day", () => {
    const date = new Date("2027-01-31T23:59:59.999Z");
    expect(toTimestamp(date)).toBe("2027-01-31T23:59:59Z");
    expect(toDay(date)).toBe("2027-01-31");
  });

  test("contract 1.10: the timestamp names the second, and the day is its first part", () => {
    const years = { min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(toTimestamp(date)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(Date.parse(toTimestamp(date))).toBe(Math.floor(date.getTime() / 1000) * 1000);
        expect(toTimestamp(date).startsWith(`${toDay(date)}T`)).toBe(true);
      }),
    );
  });

  test("days round-trip, and invalid days are rejected", () => {
    expect(parseDay("2028-02-29")?.toISOString()).toBe("2028-02-29T00:00:00.000Z");
    for (const wrong of ["", "2027-02-29", "2027-13-01", "2027-1-1", "01.02.2027", "2027-01-31T00:00:00Z"]) {
      expect(parseDay(wrong)).toBeNull();
    }
  });

  test("the next day starts at midnight in UTC for any hour, month and year", () => {
    for (const at of ["2027-12-31T00:00:00.000Z", "2027-12-31T23:59:59.999Z"]) {
      expect(startOfNextDay(new Date(at)).toISOString()).toBe("2028-01-01T00:00:00.000Z");
    }
  });

  test("timestamps round-trip, and invalid ones are rejected", () => {
    expect(parseTimestamp("2028-02-29T23:59:59Z")?.toISOString()).toBe("2028-02-29T23:59:59.000Z");
    for (const wrong of [
      "",
      "2027-02-29T00:00:00Z",
      "2027-01-31T24:00:00Z",
      "2027-01-31",
      "2027-01-31T00:00:00+01:00",
      "+010000-01-01T00:00Z",
    ]) {
      expect(parseTimestamp(wrong)).toBeNull();
    }
  });
});
