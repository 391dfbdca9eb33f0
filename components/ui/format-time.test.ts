import { describe, expect, test } from "vitest";
import { formatDay, formatRelative, formatTime } from "./format-time.ts";

const at = new Date("2027-01-31T23:30:00Z");

test("a time is told in the zone asked for, the next day included", () => {
  expect(formatTime(at, "datetime", "UTC")).toMatch(/^Jan 31, 2027, 11:30\sPM$/);
  expect(formatTime(at, "date", "Asia/Tokyo")).toBe("Feb 1, 2027");
});

describe("a relative time uses the largest unit of which there is at least one", () => {
  test.each([
    [0, "just now"],
    [-59, "just now"],
    [59, "now"],
    [60, "in 1 minute"],
    [-3 * 3_600, "3 hours ago"],
    [86_400 * 12, "in 12 days"],
    [86_400 * 30 - 5, "in 30 days"],
    [86_400 * 365 - 5, "in 12 months"],
    [86_400 * 46, "next month"],
    [3_600 * 36, "tomorrow"],
    [3_600 * 1.5, "in 1 hour"],
    [-86_400 * 3 + 5, "2 days ago"],
    [86_400, "tomorrow"],
    [-86_400 * 800, "2 years ago"],
  ])("%i seconds from now is «%s»", (seconds, text) => {
    expect(formatRelative(new Date(at.getTime() + seconds * 1_000), at.getTime())).toBe(text);
  });
});

test("a day is the day that was meant, wherever it is read", () => {
  expect(formatDay("2026-11-21")).toBe("Nov 21, 2026");
});
