import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatLicenseId, type LicenseId, parseLicenseId } from "./ids.ts";

describe("license ids", () => {
  test("contract 2.1: lic_12 and 12 name the same license, and formatting parses back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (number) => {
        expect(parseLicenseId(formatLicenseId(number as LicenseId))).toBe(number);
        expect(parseLicenseId(String(number))).toBe(number);
      }),
    );
    expect(formatLicenseId(12 as LicenseId)).toBe("lic_12");
  });

  test.each(["", "lic_", "lic_0", "lic_012", "LIC_12", "lic_lic_12", "lic-12", " 12", "lic_12 ", "2147483648", "-12"])(
    "contract 2.1: %j is no license id",
    (text) => {
      expect(parseLicenseId(text)).toBeNull();
    },
  );
});
