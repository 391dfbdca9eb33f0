import fc from "fast-check";
import { expect, test } from "vitest";
import { listTimeZones } from "#lib/domain/time-zone.ts";
import { fromLocalDay, fromLocalInput, toLocalDay, toLocalInput } from "./time-span.ts";

test("a local time is that of its zone, also on the days when the clocks change", () => {
  expect(fromLocalInput("2026-07-01T12:00", "Europe/Berlin")).toBe("2026-07-01T10:00:00.000Z");
  expect(fromLocalInput("2026-10-25T04:00", "Europe/Berlin")).toBe("2026-10-25T03:00:00.000Z");
  expect(fromLocalInput("2026-03-29T03:30", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
  expect(fromLocalInput("2026-11-01T00:30", "America/New_York")).toBe("2026-11-01T04:30:00.000Z");
  expect(toLocalInput("2026-07-01T18:15:00.000Z", "Asia/Kathmandu")).toBe("2026-07-02T00:00");
  expect(fromLocalInput("", "Europe/Berlin")).toBeNull();
});

test("a day begins in its zone, where the clocks change, too", () => {
  expect(fromLocalDay("2026-11-01", "Pacific/Kiritimati")).toBe("2026-10-31T10:00:00.000Z");
  // A day of 25 hours.
  expect(fromLocalDay("2026-11-01", "America/St_Johns")).toBe("2026-11-01T02:30:00.000Z");
  expect(fromLocalDay("2026-11-01", "America/St_Johns", 1)).toBe("2026-11-02T03:30:00.000Z");
  // Midnight does not exist: a day of 23 hours that begins at 1.
  expect(fromLocalDay("2026-09-06", "America/Santiago")).toBe("2026-09-06T04:00:00.000Z");
  // Midnight occurs twice.
  expect(fromLocalDay("2026-11-01", "America/Havana")).toBe("2026-11-01T04:00:00.000Z");
  expect(fromLocalDay("", "UTC")).toBeNull();
});

test("a range of days keeps its first and last day, in every zone", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...listTimeZones()),
      // Samoa and Kiribati skipped a day before.
      fc.date({ min: new Date("2012-01-01"), max: new Date("2037-12-31"), noInvalidDate: true }),
      (zone, at) => {
        const day = at.toISOString().slice(0, 10);
        expect(toLocalDay(fromLocalDay(day, zone), zone)).toBe(day);
        expect(toLocalDay(fromLocalDay(day, zone, 1), zone, true)).toBe(day);
      },
    ),
    { numRuns: 500 },
  );
});

test("a field keeps the local time that it was filled with, in every zone", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...listTimeZones()),
      fc.date({ min: new Date("2000-01-01"), max: new Date("2037-12-31"), noInvalidDate: true }),
      (zone, at) => {
        const local = toLocalInput(at.toISOString(), zone);
        expect(toLocalInput(fromLocalInput(local, zone) ?? "", zone)).toBe(local);
      },
    ),
    { numRuns: 2_000 },
  );
});
