import { expect, test } from "vitest";
import { matchesPalette, stepPalette } from "./palette.ts";

test("each word typed must begin a word of the label, in any order and case", () => {
  expect(matchesPalette("Register a license", "")).toBe(true);
  expect(matchesPalette("Register a license", "LIC reg")).toBe(true);
  expect(matchesPalette("Register a license", "icense")).toBe(false);
  expect(matchesPalette("Wallet", "wal licenses")).toBe(false);
});

test("steps go around the ends, and stay put where there is nothing", () => {
  expect(stepPalette(2, 1, 3)).toBe(0);
  expect(stepPalette(0, -1, 3)).toBe(2);
  expect(stepPalette(0, 1, 0)).toBe(0);
});
