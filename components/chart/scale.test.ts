import { expect, test } from "vitest";
import { linePath, scaleTop } from "./scale.ts";

test("the scale ends at a round number that holds every value", () => {
  expect([0, 1, 1.2, 3, 9, 10, 11, 480, 501].map(scaleTop)).toEqual([1, 1, 2, 3, 10, 10, 15, 500, 800]);
});

test("a line is broken where nothing was measured", () => {
  expect(linePath([10, 5, null, 0, null], 10)).toBe("M0.5 0L1.5 50M3.2 100H3.8");
  expect(linePath([null], 1)).toBe("");
});
