import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addMonths, daysRemaining, extendTerm, firstTerm } from "./term.ts";

const at = (text: string) => new Date(text.includes("T") ? text : `${text}T10:20:30Z`);
const anyInstant = fc.date({ min: at("2001-01-01"), max: at("2200-01-01"), noInvalidDate: true });
const anyMonths = fc.integer({ min: 1, max: 36 });

describe("addMonths", () => {
  test.each([
    ["2027-01-31", 1, "2027-02-28"],
    ["2027-01-31", 2, "2027-03-31"],
    ["2028-01-31", 1, "2028-02-29"],
    ["2028-02-29", 12, "2029-02-28"],
    ["2028-02-29", 48, "2032-02-29"],
    ["2027-12-31", 2, "2028-02-29"],
    ["2027-03-31", -1, "2027-02-28"],
    ["2027-01-15", -13, "2025-12-15"],
    ["2100-01-31", 1, "2100-02-28"],
  ])("contract 3.4: %s and %i months are %s, same time of day", (from, months, expected) => {
    expect(addMonths(at(from), months)).toEqual(at(expected));
  });

  test("contract 3.4: lands in the calendar month meant, never after the anchor's day, earlier only on its last day", () => {
    fc.assert(
      fc.property(anyInstant, fc.integer({ min: -60, max: 60 }), (anchor, months) => {
        const result = addMonths(anchor, months);
        const monthCount = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
        expect(monthCount(result) - monthCount(anchor)).toBe(months);
        const nextDay = new Date(result.getTime() + 86_400_000);
        expect(result.getUTCDate() === anchor.getUTCDate() || nextDay.getUTCDate() === 1).toBe(true);
        expect(result.getUTCDate()).toBeLessThanOrEqual(anchor.getUTCDate());
        expect(result.getTime() % 86_400_000).toBe(anchor.getTime() % 86_400_000);
      }),
    );
  });
});

describe("terms", () => {
  test("contract 3.4: 31 January → 28 February → 31 March, however late within the term it is renewed", () => {
    let term = firstTerm(at("2027-01-31"), 1);
    expect(term.expiresAt).toEqual(at("2027-02-28"));
    term = extendTerm(term, 1, at("2027-02-28T10:20:29.999Z"));
    expect(term).toEqual({ anchoredAt: at("2027-01-31"), expiresAt: at("2027-03-31") });
    expect(extendTerm(term, 1, at("2027-03-01")).expiresAt).toEqual(at("2027-04-30"));
  });

  test("contract 3.4: renewed after expiry, it runs from now with a new anchor", () => {
    const term = firstTerm(at("2027-01-31"), 1);
    const renewed = extendTerm(term, 1, at("2027-03-05T01:02:03.456Z"));
    expect(renewed).toEqual({ anchoredAt: at("2027-03-05T01:02:03Z"), expiresAt: at("2027-04-05T01:02:03Z") });
    expect(extendTerm(term, 1, term.expiresAt).anchoredAt).toEqual(term.expiresAt);
  });

  test("contract 3.4: n renewals of one month end exactly where one renewal of n months ends", () => {
    fc.assert(
      fc.property(anyInstant, anyMonths, anyMonths, (issuedAt, firstMonths, months) => {
        const term = firstTerm(issuedAt, firstMonths);
        let stepwise = term;
        for (let month = 0; month < months; month++) stepwise = extendTerm(stepwise, 1, issuedAt);
        expect(stepwise).toEqual(extendTerm(term, months, issuedAt));
        expect(stepwise).toEqual(firstTerm(issuedAt, firstMonths + months));
      }),
    );
  });

  test("contract 3.4: a renewal always adds at least 28 days to max(now, expires_at)", () => {
    fc.assert(
      fc.property(anyInstant, anyMonths, anyInstant, anyMonths, (issuedAt, firstMonths, now, months) => {
        const term = firstTerm(issuedAt, firstMonths);
        const renewed = extendTerm(term, months, now);
        const from = Math.max(term.expiresAt.getTime(), Math.floor(now.getTime() / 1000) * 1000);
        expect(renewed.expiresAt.getTime() - from).toBeGreaterThanOrEqual(28 * 86_400_000);
      }),
    );
  });

  test("contract 1.10: terms have whole seconds", () => {
    fc.assert(
      fc.property(anyInstant, anyMonths, (now, months) => {
        const term = firstTerm(now, months);
        expect(term.anchoredAt.getTime() % 1000).toBe(0);
        expect(now.getTime() - term.anchoredAt.getTime()).toBeLessThan(1000);
        expect(term.expiresAt.getTime() % 1000).toBe(0);
      }),
    );
  });

  test("contract 3.4: an end set by hand is extended from itself, and becomes the anchor", () => {
    const term = { anchoredAt: at("2027-01-31"), expiresAt: at("2027-03-20") };
    expect(extendTerm(term, 1, at("2027-03-01"))).toEqual({
      anchoredAt: at("2027-03-20"),
      expiresAt: at("2027-04-20"),
    });
  });
});

describe("daysRemaining", () => {
  test("whole days rounded up, 0 once past", () => {
    const expiresAt = at("2027-02-28T00:00:00Z");
    expect(daysRemaining(expiresAt, at("2027-02-26T00:00:00Z"))).toBe(2);
    expect(daysRemaining(expiresAt, at("2027-02-25T23:59:59.999Z"))).toBe(3);
    expect(daysRemaining(expiresAt, at("2027-02-27T23:59:59.999Z"))).toBe(1);
    expect(daysRemaining(expiresAt, expiresAt)).toBe(0);
    expect(Object.is(daysRemaining(expiresAt, at("2027-02-28T00:00:00.001Z")), 0)).toBe(true);
  });
});
