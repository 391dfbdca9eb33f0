import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasNul, isStorable, isWithinLength, NOTES_MAX_LENGTH, toStorable } from "./text.ts";

const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));

describe("text limits", () => {
  test("contract 1.8: characters are code points, so an emoji counts once", () => {
    expect(isWithinLength("naïve 🙂", 7)).toBe(true);
    expect(isWithinLength("naïve 🙂", 6)).toBe(false);
    expect(isWithinLength("🙂".repeat(NOTES_MAX_LENGTH), NOTES_MAX_LENGTH)).toBe(true);
    expect(isWithinLength("🙂".repeat(NOTES_MAX_LENGTH + 1), NOTES_MAX_LENGTH)).toBe(false);
    expect(isWithinLength("a".repeat(NOTES_MAX_LENGTH + 1), NOTES_MAX_LENGTH)).toBe(false);
  });

  test("contract 1.8: a length is the number of code points, lone surrogates included", () => {
    const units = fc.array(fc.constantFrom("\ud83d", "\ude42", "a", "é")).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(anyText, units), fc.nat(20), (text, maxLength) => {
        expect(isWithinLength(text, maxLength)).toBe([...text].length <= maxLength);
      }),
    );
  });

  test("contract 1.7: a NUL is found at any position", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        expect(hasNul(`${before}\0${after}`)).toBe(true);
      }),
    );
    expect(hasNul("\\0 and 0")).toBe(false);
  });
});

test("text is storable without NUL and without half a surrogate pair", () => {
  expect(["", "ä ☂ 😀", "\uffff", "\ufeff"].map(isStorable)).toEqual([true, true, true, true]);
  expect(["a\0", "\ud83d", "x\ude00", "\ude00\ud83d"].map(isStorable)).toEqual([false, false, false, false]);
});

test("foreign text becomes storable, as long as it was, and storable text stays as it is", () => {
  const units = fc.array(fc.constantFrom("\ud83d", "\ude42", "\0", "a")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(anyText, units), (text) => {
      const stored = toStorable(text);
      expect(isStorable(stored)).toBe(true);
      expect(stored.length).toBe(text.length);
      if (isStorable(text)) expect(stored).toBe(text);
    }),
  );
});
