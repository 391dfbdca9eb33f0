import { expect, test } from "vitest";
import { rangeOf, rowHref } from "./page-range.ts";

test.each([
  [
    { row: 1, count: 50, isLast: false },
    { start: 1, end: 50, all: null },
  ],
  [
    { row: 51, count: 10, isLast: true },
    { start: 51, end: 60, all: 60 },
  ],
  [
    { row: null, count: 50, isLast: true },
    { start: null, end: 50, all: null },
  ],
  [
    { row: -7, count: 50, isLast: false },
    { start: null, end: 50, all: null },
  ],
  [
    { row: 51, count: 0, isLast: true },
    { start: null, end: 0, all: null },
  ],
])("%j is %j", (page, range) => {
  expect(rangeOf(page)).toEqual(range);
});

test("the first page's address has no row", () => {
  expect(rowHref("/jobs?before=7", 26)).toBe("/jobs?before=7&row=26");
  expect(rowHref("/jobs", 26)).toBe("/jobs?row=26");
  expect(rowHref("/jobs", 1)).toBe("/jobs");
  expect(rowHref("/jobs", null)).toBe("/jobs");
});
