import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatSize, formatUptime, isSize, isUptime, parseSizeMb } from "./diagnostics.ts";

describe("units of a diagnostics record (contract 2.5)", () => {
  test.each([
    [16 * 1024 ** 3, "16GB"],
    [1024 ** 3, "1GB"],
    [1024 ** 3 - 1, "1023MB"],
    [0, "0MB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });

  test.each([
    [86_400 * 12 + 5, "12 days"],
    [86_400, "1 days"],
    [86_399, "23 hours"],
    [59, "0 hours"],
  ])("%d seconds are %s", (seconds, text) => {
    expect(formatUptime(seconds)).toBe(text);
  });

  test("formatted values are accepted in reports", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), (amount) => {
        expect(isSize(formatSize(amount * 1024))).toBe(true);
        expect(isUptime(formatUptime(amount))).toBe(true);
      }),
    );
  });

  test("a size is read as the megabytes that were written", () => {
    expect(parseSizeMb("16GB")).toBe(16_384);
    expect(parseSizeMb("512MB")).toBe(512);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1023 }), (megabytes) => {
        expect(parseSizeMb(formatSize(megabytes * 1024 ** 2))).toBe(megabytes);
      }),
    );
  });

  test.each(["16 GB", "16gb", "-1GB", "1.5GB", "016GB", "GB", ""])("%j is no size", (text) => {
    expect(isSize(text)).toBe(false);
  });
});
