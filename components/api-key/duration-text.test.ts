import { expect, test } from "vitest";
import { durationText } from "./duration-text.ts";

test.each([
  [70, "0.07 ms"],
  [430, "0.43 ms"],
  [1_240, "1.2 ms"],
  [12_300, "12 ms"],
  [999_400, "999 ms"],
  [1_250_000, "1.3 s"],
])("%i µs are %s", (us, text) => {
  expect(durationText(us)).toBe(text);
});
