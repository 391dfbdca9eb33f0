import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_INTEGER, parsePositiveInteger } from "./integer.ts";

describe("parsePositiveInteger", () => {
  test("contract 1.8: every integer from 1 to 2147483647 is accepted, as text and as a JSON number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_INTEGER }), (number) => {
        expect(parsePositiveInteger(number)).toBe(number);
        expect(parsePositiveInteger(String(number))).toBe(number);
      }),
    );
    expect(parsePositiveInteger("2147483647")).toBe(2_147_483_647);
  });

  test.each([
    ...["", "0", "-1", "+1", "01", "1.0", "1e3", " 1", "1 ", "1\n", "0x1", "2147483648", "99999999999999999999"],
    ...["١", "1_0", "abc", 0, -1, 1.5, 2147483648, Number.NaN, Number.POSITIVE_INFINITY],
  ])("contract 1.8: %j is refused", (value) => {
    expect(parsePositiveInteger(value)).toBeNull();
  });

  test("contract 1.8: a value of another type is rejected, even if convertible", () => {
    for (const value of [true, null, undefined, 1n, [1], ["1"], { valueOf: () => 1 }]) {
      expect(parsePositiveInteger(value)).toBeNull();
    }
  });
});
