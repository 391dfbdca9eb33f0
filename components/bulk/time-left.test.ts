import { expect, test } from "vitest";
import { bulkItemStates } from "#lib/domain/bulk.ts";
import { timeLeftText } from "./time-left.ts";

const startedAt = "2027-01-01T00:00:00Z";
const counts = (given: object) =>
  ({ ...Object.fromEntries(bulkItemStates.map((state) => [state, 0])), ...given }) as never;
const afterMinutes = (minutes: number, given: object) =>
  timeLeftText({ startedAt, counts: counts(given) }, Date.parse(startedAt) + minutes * 60_000);

test("the time left is told at the pace so far, and only when that says something", () => {
  expect(afterMinutes(1, { succeeded: 4, queued: 100 })).toBeNull();
  expect(afterMinutes(1, { succeeded: 10, queued: 0 })).toBeNull();
  expect(afterMinutes(1, { succeeded: 60, queued: 30 })).toBe("less than a minute left");
  expect(afterMinutes(10, { succeeded: 50, failed: 50, queued: 100, running: 1 })).toBe("about 11 minutes left");
  expect(afterMinutes(60, { succeeded: 10, queued: 40 })).toBe("about 4 hours left");
  expect(afterMinutes(2, { skipped: 500, succeeded: 6, queued: 6 })).toBe("about 2 minutes left");
});
