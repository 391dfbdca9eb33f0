import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { adoptEnd, compareEnd, cyclesBetween } from "./reported-term.ts";
import { addMonths, extendTerm, firstTerm, type Term } from "./term.ts";
import { toDay, toTimestamp } from "./times.ts";

const at = (text: string) => new Date(text.includes("T") ? text : `${text}T10:20:30Z`);
const exactly = (date: Date) => ({ expires_at: toTimestamp(date), expires_on: null });
const onDay = (date: Date) => ({ expires_at: null, expires_on: toDay(date) });
const later = (date: Date, ms: number) => new Date(date.getTime() + ms);

const DAY_MS = 86_400_000;
const cycles = fc.constantFrom(1, 3, 6, 12);
const skewMs = fc.integer({ min: -120_000, max: 120_000 });
/** Mostly around the midnights at the ends of months, where anchors clamp. */
const instant = fc
  .tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: -3, max: 1 }), fc.integer({ min: -60, max: 60 }))
  .map(([month, days, seconds]) => new Date(Date.UTC(2027, month, 1 + days, 0, 0, seconds)));
/** A renewal by a number of months, so many hours after the earlier of the two ends. */
const renewals = fc.array(fc.tuple(cycles, fc.integer({ min: -600, max: 240 })), { maxLength: 12 });

/** Two that count the same renewals, each from its own clock. */
const twoCounts = fc.tuple(instant, cycles, skewMs, renewals).map(([issuedAt, months, skew, renewed]) => {
  let [ours, theirs]: [Term, Term] = [firstTerm(issuedAt, months), firstTerm(later(issuedAt, skew), months)];
  for (const [cycle, hours] of renewed) {
    const now = later(ours.expiresAt < theirs.expiresAt ? ours.expiresAt : theirs.expiresAt, hours * 3_600_000);
    [ours, theirs] = [extendTerm(ours, cycle, now), extendTerm(theirs, cycle, later(now, skew))];
  }
  return { ours, theirs };
});

describe("compareEnd", () => {
  test("an end set as requested is compared to the second", () => {
    const end = at("2027-04-10");
    expect(compareEnd(end, exactly(end), "asked")).toBe("same");
    expect(compareEnd(later(end, 400), exactly(end), "asked")).toBe("same");
    expect(compareEnd(end, exactly(later(end, 1_000)), "asked")).toBe("later");
    expect(compareEnd(end, exactly(later(end, -1_000)), "asked")).toBe("earlier");
  });

  test("a reported day matches any of its seconds", () => {
    for (const time of ["2027-04-10T00:00:00Z", "2027-04-10T23:59:59Z"]) {
      expect(compareEnd(at(time), onDay(at("2027-04-10")), "asked")).toBe("same");
      expect(compareEnd(at(time), onDay(at("2027-04-11")), "asked")).toBe("later");
      expect(compareEnd(at(time), onDay(at("2027-04-09")), "asked")).toBe("earlier");
    }
  });

  test("an unreported end is not compared", () => {
    expect(compareEnd(at("2027-04-10"), { expires_at: null, expires_on: null }, "asked")).toBeNull();
  });

  test("the same renewals counted by two clocks are never a difference, to the second or to the day", () => {
    fc.assert(
      fc.property(twoCounts, ({ ours, theirs }) => {
        expect(compareEnd(ours.expiresAt, exactly(theirs.expiresAt), "counted")).toBe("same");
        expect(compareEnd(ours.expiresAt, onDay(theirs.expiresAt), "counted")).toBe("same");
      }),
      { numRuns: 5_000 },
    );
  });

  test("one renewal more or less is always a difference, however both sides counted before", () => {
    fc.assert(
      fc.property(twoCounts, cycles, ({ ours, theirs }, months) => {
        const now = later(ours.expiresAt, -7 * DAY_MS);
        const renewed = extendTerm(ours, months, now).expiresAt;
        for (const reported of [exactly, onDay]) {
          expect(compareEnd(renewed, reported(theirs.expiresAt), "counted")).toBe("earlier");
          const there = extendTerm(theirs, months, now).expiresAt;
          expect(compareEnd(ours.expiresAt, reported(there), "counted")).toBe("later");
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("adoptEnd", () => {
  const term = { anchoredAt: at("2027-01-31"), expiresAt: at("2027-02-28"), issuedAt: at("2027-01-31"), months: 1 };

  test("a renewal counted by both sides ends as we count it, and keeps its anchor", () => {
    const counted = { anchoredAt: term.anchoredAt, expiresAt: at("2027-03-31") };
    expect(adoptEnd(term, exactly(at("2027-03-31T10:20:35Z")), "counted")).toEqual(counted);
    expect(adoptEnd(term, onDay(at("2027-03-28")), "counted")).toEqual(counted);
  });

  test("any other end is taken as reported, a day at the hour of our end", () => {
    expect(adoptEnd(term, exactly(at("2027-03-10T01:02:03Z")), "counted")?.expiresAt).toEqual(
      at("2027-03-10T01:02:03Z"),
    );
    expect(adoptEnd(term, onDay(at("2027-03-10")), "counted")?.expiresAt).toEqual(at("2027-03-10"));
  });

  test("a term that ended before our anchor is anchored a cycle before its end, not before the issue", () => {
    const renewed = { ...term, anchoredAt: at("2027-06-01"), expiresAt: at("2027-07-01"), issuedAt: at("2026-12-15") };
    expect(adoptEnd(renewed, exactly(at("2027-01-15")), "asked")).toEqual({
      anchoredAt: at("2026-12-15"),
      expiresAt: at("2027-01-15"),
    });
    expect(adoptEnd(renewed, exactly(at("2027-03-20")), "asked")).toEqual({
      anchoredAt: at("2027-02-20"),
      expiresAt: at("2027-03-20"),
    });
  });

  test("an adopted end agrees with the report, and is a term", () => {
    fc.assert(
      fc.property(twoCounts, instant, cycles, fc.boolean(), ({ ours }, reported, months, whole) => {
        const report = whole ? onDay(reported) : exactly(reported);
        const adopted = adoptEnd({ ...ours, issuedAt: ours.anchoredAt, months }, report, "counted");
        if (adopted === null) throw new Error("nothing was adopted");
        expect(compareEnd(adopted.expiresAt, report, "counted")).toBe("same");
        expect(adopted.anchoredAt.getTime()).toBeLessThan(adopted.expiresAt.getTime());
      }),
    );
  });
});

describe("cyclesBetween", () => {
  test("counts only whole cycles, in either direction", () => {
    const ours = firstTerm(at("2027-01-31"), 3);
    for (const months of [3, 6, 9]) {
      const reported = onDay(addMonths(at("2027-01-31"), 3 + months));
      expect(cyclesBetween(ours, { reported, months: 3, basis: "counted" })).toBe(months / 3);
    }
    expect(cyclesBetween(ours, { reported: exactly(at("2027-01-31")), months: 3, basis: "asked" })).toBe(1);
    expect(
      cyclesBetween(ours, { reported: onDay(addMonths(ours.expiresAt, 1)), months: 3, basis: "counted" }),
    ).toBeNull();
    expect(
      cyclesBetween(ours, { reported: onDay(later(ours.expiresAt, 12 * DAY_MS)), months: 3, basis: "counted" }),
    ).toBeNull();
  });
});
