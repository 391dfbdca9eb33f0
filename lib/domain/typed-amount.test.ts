import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Currency, minorDigits, parseCurrency, parseMajor, toMajorText } from "./money.ts";
import { amountExample, parseTypedAmount } from "./typed-amount.ts";

function currency(code: string): Currency {
  const parsed = parseCurrency(code);
  if (parsed === null) throw new Error(`${code} is no currency`);
  return parsed;
}

const [usd, jpy, kwd] = [currency("USD"), currency("JPY"), currency("KWD")];
const anyCurrency = fc.constantFrom(usd, jpy, kwd);
const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n });

describe("an amount as people type it", () => {
  test.each([
    ["5000", usd, 500_000n],
    [" 5000.5 ", usd, 500_050n],
    ["5000,5", usd, 500_050n],
    ["5,000.50", usd, 500_050n],
    ["5.000,50", usd, 500_050n],
    ["5 000", usd, 500_000n],
    ["5\u00A0000,50", usd, 500_050n],
    ["5\u202F000.50", usd, 500_050n],
    ["5'000", usd, 500_000n],
    ["1,234,567", usd, 123_456_700n],
    ["1.234.567", usd, 123_456_700n],
    ["0.5", usd, 50n],
    ["0,50", usd, 50n],
    ["-12.50", usd, -1_250n],
    ["−12,50", usd, -1_250n],
    ["5,000", jpy, 5_000n],
    ["5.000", jpy, 5_000n],
    ["98,765,432,109", jpy, 98_765_432_109n],
    ["5.000", kwd, 5_000n],
    ["0,500", kwd, 500n],
    ["1,234.500", kwd, 1_234_500n],
    ["1.234,500", kwd, 1_234_500n],
  ])("%j in %s is %s minor units", (text, code, minor) => {
    expect(parseTypedAmount(text, code)).toEqual({ minor });
  });

  test.each([
    ["5,000", usd, "has two meanings: type 5000, or at most 2 decimals after a point"],
    ["5.000", usd, "has two meanings: type 5000, or at most 2 decimals after a point"],
    ["-12,500", usd, "has two meanings: type 12500, or at most 2 decimals after a point"],
    ["5,000", kwd, "has two meanings: type 5000, or at most 3 decimals after a point"],
  ])("%j in %s is never guessed", (text, code, problem) => {
    expect(parseTypedAmount(text, code)).toEqual({ problem });
  });

  test.each([
    "",
    "-",
    "abc",
    "$5",
    "1e3",
    "5.",
    ".5",
    "5,,000",
    "5,00,000",
    "50,00.00",
    "5 00",
    "12.345.67",
    "1 000,000.5",
    "5,000,00",
    "1.000 000",
    "0,000,000",
    "5,555.5.5",
    "٥",
    "1".repeat(14),
  ])("%j is none", (text) => {
    expect(parseTypedAmount(text, usd)).toEqual({ problem: null });
  });

  test.each([
    ["5.5", jpy, "must be a whole number: JPY has no decimals"],
    ["5,00", jpy, "must be a whole number: JPY has no decimals"],
    ["5.00", jpy, "must be a whole number: JPY has no decimals"],
    ["0.005", usd, "must have at most 2 decimals"],
    ["1,000.000", usd, "must have at most 2 decimals"],
    ["12.3456", kwd, "must have at most 3 decimals"],
  ])("%j, with more decimals than %s has, is rejected with the number allowed", (text, code, problem) => {
    expect(parseTypedAmount(text, code)).toEqual({ problem });
  });
});

test("an example has the decimals of the currency", () => {
  expect([usd, jpy, kwd].map(amountExample)).toEqual(["120.50", "1205", "120.500"]);
});

describe("for every amount", () => {
  /** As written with these signs; the decimals are left out if they are zero. */
  const write = (minor: bigint, code: Currency, group: string, decimal: string) => {
    const [whole = "", fraction] = toMajorText(minor, code).split(".");
    const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
    return fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
  };
  const conventions = fc.constantFrom(
    [",", "."],
    [".", ","],
    [" ", ","],
    ["\u202F", ","],
    ["'", "."],
    ["", "."],
    ["", ","],
  );

  test("each convention's text is that amount or asks, and never another", () => {
    fc.assert(
      fc.property(
        anyAmount,
        anyCurrency,
        conventions,
        fc.boolean(),
        (minor, code, [group = "", decimal = ""], taken) => {
          const amount = taken ? -minor : minor;
          const { minor: read, problem } = parseTypedAmount(
            `${taken ? "-" : ""}${write(minor, code, group, decimal)}`,
            code,
          );
          if (read === undefined) expect(problem).toMatch(/^has two meanings/);
          else expect(read).toBe(amount);
        },
      ),
    );
  });

  test("without decimals, grouped text is that amount or asks", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }),
        anyCurrency,
        conventions,
        (whole, code, [group = ""]) => {
          const minor = whole * 10n ** BigInt(minorDigits(code));
          // A point and three digits are how amounts of three decimals are shown.
          fc.pre(!(minorDigits(code) === 3 && group === "." && whole >= 1_000n && whole < 1_000_000n));
          const read = parseTypedAmount(write(whole, jpy, group, ""), code);
          if (read.minor === undefined) expect(read.problem).toMatch(/^has two meanings/);
          else expect(read.minor).toBe(minor);
        },
      ),
    );
  });

  test("whatever a program may send reads as the same, unless it asks", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{0,6}[.,]?\d{0,4}$/), anyCurrency, (text, code) => {
        const strict = parseMajor(text, code);
        const { minor } = parseTypedAmount(text, code);
        if (strict !== null) expect(minor).toBe(strict);
      }),
    );
  });
});
