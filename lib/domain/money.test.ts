import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Currency,
  formatMoney,
  minorDigits,
  parseCurrency,
  parseMajor,
  roundHalfUp,
  toMajorNumber,
  toMajorText,
} from "./money.ts";

function currency(code: string): Currency {
  const parsed = parseCurrency(code);
  if (parsed === null) throw new Error(`${code} is no currency`);
  return parsed;
}

const [usd, jpy, kwd] = [currency("USD"), currency("JPY"), currency("KWD")];
const anyCurrency = fc.constantFrom(usd, jpy, kwd, currency("EUR"), currency("TND"), currency("KRW"));
const exactAmount = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });

describe("currencies", () => {
  test("contract 1.9: only ISO 4217 codes in capitals are currencies", () => {
    for (const text of ["usd", "US", "USDT", " USD", "", "ZZZ", "__proto__"]) expect(parseCurrency(text)).toBeNull();
    expect(parseCurrency("USD")).toBe("USD");
  });

  test.each([
    ["USD", 2],
    ["HUF", 2],
    ["IDR", 2],
    ["JPY", 0],
    ["UGX", 0],
    ["XAF", 0],
    ["KWD", 3],
    ["IQD", 3],
  ])("contract 1.9: %s has %i minor digits, whatever ICU holds for cash", (code, digits) => {
    expect(minorDigits(currency(code))).toBe(digits);
  });
});

describe("major units", () => {
  test("contract 1.9: twelve and a half dollars are the JSON number 12.5", () => {
    expect(JSON.stringify(toMajorNumber(1250n, usd))).toBe("12.5");
    expect(toMajorText(1250n, usd)).toBe("12.50");
    expect(toMajorText(-5n, kwd)).toBe("-0.005");
    expect(toMajorText(-7n, jpy)).toBe("-7");
    expect(Object.is(toMajorNumber(0n, usd), 0)).toBe(true);
  });

  test("contract 1.9: the JSON number of every amount up to 15 digits is exact to the minor unit", () => {
    fc.assert(
      fc.property(exactAmount, anyCurrency, (minor, currency) => {
        const scaled = toMajorNumber(minor, currency).toFixed(minorDigits(currency)).replace(".", "");
        expect(BigInt(scaled)).toBe(minor);
      }),
    );
  });

  test("contract 1.9: text of every amount up to 15 digits parses back to the same amount", () => {
    fc.assert(
      fc.property(exactAmount, anyCurrency, (minor, currency) => {
        expect(parseMajor(toMajorText(minor, currency), currency)).toBe(minor);
      }),
    );
  });

  test("contract 1.9: fewer decimals than the currency's are accepted", () => {
    expect(parseMajor("12", usd)).toBe(1200n);
    expect(parseMajor("12.5", usd)).toBe(1250n);
    expect(parseMajor("-0.5", kwd)).toBe(-500n);
    expect(parseMajor("-0", usd)).toBe(0n);
  });

  test.each(["", "-", "+1", "1.", ".5", "01", "1e3", "1,000", " 1", "1 ", "0x1", "1.234", "١", "NaN", "1.2.3", "--1"])(
    "contract 1.9: %j is no amount of dollars",
    (text) => {
      expect(parseMajor(text, usd)).toBeNull();
    },
  );

  test("contract 1.9: amounts that a JSON number cannot represent exactly are rejected", () => {
    expect(parseMajor("9999999999999.99", usd)).toBe(999_999_999_999_999n);
    expect(parseMajor("10000000000000.00", usd)).toBeNull();
    expect(parseMajor("999999999999999", jpy)).toBe(999_999_999_999_999n);
    expect(parseMajor("1000000000000000", jpy)).toBeNull();
    expect(parseMajor("9".repeat(100_000), usd)).toBeNull();
    expect(parseMajor("1.0", jpy)).toBeNull();
  });
});

describe("formatMoney", () => {
  test("shows the currency's own minor digits and never rounds", () => {
    expect(formatMoney(1250n, usd)).toBe("$12.50");
    expect(formatMoney(-1250n, usd)).toBe("-$12.50");
    expect(formatMoney(1250n, jpy)).toBe("¥1,250");
    expect(formatMoney(1250n, currency("HUF")).replace(/\s/, " ")).toBe("HUF 12.50");
    expect(formatMoney(1_234_567_890_123_456_789n, usd)).toBe("$12,345,678,901,234,567.89");
    expect(formatMoney(1250n, currency("EUR"), "de-DE").replace(/\s/, " ")).toBe("12,50 €");
  });
});

describe("roundHalfUp", () => {
  test("contract 3.6: halves go away from zero", () => {
    expect([5n, 4n, -5n, -4n, 15n].map((numerator) => roundHalfUp(numerator, 10n))).toEqual([1n, 0n, -1n, 0n, 2n]);
  });

  test("contract 3.6: up and its mirror down are exact opposites, never more than half a unit off", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 20n }), (numerator, denominator) => {
        const rounded = roundHalfUp(numerator, denominator);
        expect(roundHalfUp(-numerator, denominator)).toBe(-rounded);
        const twiceOff = 2n * (rounded * denominator - numerator);
        expect(twiceOff <= denominator && twiceOff >= -denominator).toBe(true);
      }),
    );
  });

  test("a denominator that is not positive is a programming error", () => {
    expect(() => roundHalfUp(1n, 0n)).toThrow(RangeError);
    expect(() => roundHalfUp(1n, -1n)).toThrow(RangeError);
  });
});
