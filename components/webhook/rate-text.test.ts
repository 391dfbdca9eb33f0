import { expect, test } from "vitest";
import { durationText, rateText } from "./rate-text.ts";

test("one failure among many is not rounded away", () => {
  expect(rateText({ succeeded: 1_000_000, failed: 1 })).toBe("99.9%");
  expect(rateText({ succeeded: 3, failed: 0 })).toBe("100%");
  expect(rateText({ succeeded: 1, failed: 2 })).toBe("33.3%");
  expect(rateText({ succeeded: 0, failed: 2 })).toBe("0%");
  expect(rateText({ succeeded: 0, failed: 0 })).toBe("No attempts");
});

test("a duration has as many digits as matter", () => {
  expect(durationText(4)).toBe("4 ms");
  expect(durationText(1_234)).toBe("1.2 s");
  expect(durationText(1_999)).toBe("2 s");
  expect(durationText(15_000)).toBe("15 s");
});
