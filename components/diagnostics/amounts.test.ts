import { expect, test } from "vitest";
import { sizeText, spanText } from "./amounts.ts";

test("a span is told in the largest unit of which there is at least one", () => {
  expect([0, 1, 59, 60, 3_599, 3_600, 86_399, 86_400, 1_000 * 86_400].map(spanText)).toEqual([
    "0 seconds",
    "1 second",
    "59 seconds",
    "1 minute",
    "59 minutes",
    "1 hour",
    "23 hours",
    "1 day",
    "1,000 days",
  ]);
});

test("a size is told in gigabytes from one on", () => {
  expect([0, 512, 1_023, 1_024, 2_560, 16_384].map(sizeText)).toEqual([
    "0 MB",
    "512 MB",
    "1023 MB",
    "1 GB",
    "2.5 GB",
    "16 GB",
  ]);
});
