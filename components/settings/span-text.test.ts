import { expect, test } from "vitest";
import { spanText } from "./span-text.ts";

test.each([
  [5, "5 minutes"],
  [60, "1 hour"],
  [90, "90 minutes"],
  [720, "12 hours"],
  [1_440, "1 day"],
  [10_080, "7 days"],
])("%i minutes read %j", (minutes, text) => {
  expect(spanText(minutes)).toBe(text);
});
