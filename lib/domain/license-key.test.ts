import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLicenseKey, type LicenseKey, parseLicenseKey } from "./license-key.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const anyKey = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => createLicenseKey(() => bytes));
const symbolPositions = (key: LicenseKey) =>
  Array.from(key, (_, index) => index).filter((index) => index >= 4 && key[index] !== "-");
const replaceAt = (text: string, index: number, symbol: string) =>
  `${text.slice(0, index)}${symbol}${text.slice(index + 1)}`;

describe("license keys", () => {
  test("contract 1.16: a key is LIC- and four groups of five Crockford characters, and parses to itself", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(key).toMatch(/^LIC(?:-[0-9A-HJKMNP-TV-Z]{5}){4}$/);
        expect(parseLicenseKey(key)).toBe(key);
      }),
    );
    expect(parseLicenseKey(createLicenseKey(randomBytes))).not.toBeNull();
  });

  test("contract 1.16: lower case and white space around the key are accepted and normalized", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(parseLicenseKey(` ${key.toLowerCase()}\n`)).toBe(key);
        expect(parseLicenseKey(key.replace("LIC", "LiC"))).toBe(key);
      }),
    );
  });

  test("contract 1.16: every single wrong character is caught, at every position", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        for (const index of symbolPositions(key)) {
          for (const symbol of ALPHABET) {
            const mistyped = replaceAt(key, index, symbol);
            expect(parseLicenseKey(mistyped)).toBe(mistyped === key ? key : null);
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test("contract 1.16: every swap of two different characters is caught, next to each other or not", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const positions = symbolPositions(key);
        for (const first of positions) {
          for (const second of positions) {
            const [one = "", other = ""] = [key[first], key[second]];
            if (one === other) continue;
            expect(parseLicenseKey(replaceAt(replaceAt(key, first, other), second, one))).toBeNull();
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  test("contract 1.16: the letters I, L, O and U are invalid, not read as digits", () => {
    for (const letter of "ILOUilou") {
      expect(parseLicenseKey(`LIC-0000${letter}-00000-00000-00000`)).toBeNull();
    }
    expect(parseLicenseKey("LIC-00000-00000-00000-00000")).not.toBeNull();
  });

  test("contract 1.16: any other form is malformed", () => {
    const key = createLicenseKey(randomBytes);
    const others = [key.slice(4), key.replaceAll("-", ""), `${key}0`, key.slice(0, -1), key.replace("LIC", "LID")];
    others.push("", "LIC-", key.replace("LIC", "LıC"), key.replaceAll("-", "_"), `${key}\0`, key.replace("-", " "));
    for (const text of others) expect(parseLicenseKey(text)).toBeNull();
    fc.assert(
      fc.property(fc.string({ minLength: 27, maxLength: 27 }), (text) => {
        expect(parseLicenseKey(text)).toBeNull();
      }),
    );
  });

  test("contract 1.16: every random bit of the first 95 counts, each symbol equally likely", () => {
    const keys = new Set<string>();
    for (let bit = 0; bit < 95; bit++) {
      const bytes = new Uint8Array(12);
      bytes[bit >> 3] = 128 >> (bit & 7);
      keys.add(createLicenseKey(() => bytes));
    }
    expect(keys.size).toBe(95);
  });
});
