import { expect, test } from "vitest";
import { rateText } from "./rate-text.ts";

test("one failure among many is not rounded away", () => {
  expect(rateText({ succeeded: 1_000_000, failed: 1 })).toBe("99.9%");
  expect(rateText({ succeeded: 3, failed: 0 })).toBe("100%");
  expect(rateText({ succeeded: 1, failed: 2 })).toBe("33.3%");
  expect(rateText({ succeeded: 0, failed: 2 })).toBe("0%");
  expect(rateText({ succeeded: 0, failed: 0 })).toBe("No attempts");
});
