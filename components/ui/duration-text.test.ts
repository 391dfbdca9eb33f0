import { expect, test } from "vitest";
import { durationText } from "./duration-text.ts";

test.each([
  [0.07, "0.07 ms"],
  [0.43, "0.43 ms"],
  [1.24, "1.2 ms"],
  [4, "4 ms"],
  [12.3, "12 ms"],
  [999.4, "999 ms"],
  [1_260, "1.3 s"],
  [1_999, "2 s"],
  [15_000, "15 s"],
])("%d ms are %s: as many digits as matter", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
