import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyMarkup, applyMarkupToCycle, type MarkupRule, markupRoundings, parsePercent } from "./markup.ts";
import { type Currency, minorDigits, parseCurrency } from "./money.ts";

function currency(code: string): Currency {
  const parsed = parseCurrency(code);
  if (parsed === null) throw new Error(`${code} is no currency`);
  return parsed;
}

const [usd, jpy, kwd] = [currency("USD"), currency("JPY"), currency("KWD")];
const none: MarkupRule = { percentHundredths: 0n, fixed: 0n, rounding: "none", allowBelowCost: false };
const anyCurrency = fc.constantFrom(usd, jpy, kwd);
const anyCost = fc.bigInt({ min: 0n, max: 10n ** 12n });
const anyRule = fc.record({
  percentHundredths: fc.bigInt({ min: -10_000n, max: 100_000n }),
  fixed: fc.bigInt({ min: -100_000n, max: 100_000n }),
  rounding: fc.constantFrom(...markupRoundings),
  allowBelowCost: fc.boolean(),
});

describe("markup", () => {
  test.each([
    [1450n, { ...none, percentHundredths: 2000n }, usd, 1740n],
    [1450n, { ...none, percentHundredths: 1250n }, usd, 1631n],
    [1450n, { ...none, percentHundredths: 2000n, fixed: 100n, rounding: "to_99" }, usd, 1899n],
    [1799n, { ...none, rounding: "to_99" }, usd, 1799n],
    [1800n, { ...none, rounding: "to_99" }, usd, 1899n],
    [1701n, { ...none, rounding: "to_whole" }, usd, 1800n],
    [1700n, { ...none, rounding: "to_whole" }, usd, 1700n],
    [4_495n, { ...none, rounding: "to_99" }, kwd, 4_990n],
    [4_991n, { ...none, rounding: "to_99" }, kwd, 5_990n],
    [2175n, { ...none, percentHundredths: 1000n, rounding: "to_99" }, jpy, 2393n],
    [1000n, { ...none, percentHundredths: -5000n }, usd, 1000n],
    [1000n, { ...none, percentHundredths: -5000n, allowBelowCost: true }, usd, 500n],
    [1000n, { ...none, fixed: -5000n, allowBelowCost: true }, usd, 0n],
    [0n, { ...none, percentHundredths: 2000n, rounding: "to_99" }, usd, 0n],
  ] as const)("%s with %o in %s is %s", (cost, rule, code, price) => {
    expect(applyMarkup(cost, rule, code)).toBe(price);
  });

  test("never below cost unless allowed, and never negative", () => {
    fc.assert(
      fc.property(anyCost, anyRule, anyCurrency, (cost, rule, code) => {
        const price = applyMarkup(cost, rule, code);
        expect(price >= (rule.allowBelowCost ? 0n : cost)).toBe(true);
      }),
    );
  });

  test("monotonic: a higher cost never yields a lower price", () => {
    fc.assert(
      fc.property(anyCost, anyCost, anyRule, anyCurrency, (a, b, rule, code) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(applyMarkup(less, rule, code) <= applyMarkup(more, rule, code)).toBe(true);
      }),
    );
  });

  test("the ending is exact in minor units, and less than one whole unit is added for it", () => {
    fc.assert(
      fc.property(anyCost, anyRule, anyCurrency, (cost, rule, code) => {
        const price = applyMarkup(cost, rule, code);
        const plain = applyMarkup(cost, { ...rule, rounding: "none" }, code);
        const unit = 10n ** BigInt(minorDigits(code));
        expect(price - plain >= 0n && price - plain < unit).toBe(true);
        if (unit === 1n || price === 0n || rule.rounding === "none") return;
        expect(price % unit).toBe(rule.rounding === "to_whole" ? 0n : unit - unit / 100n);
      }),
    );
  });

  test("the fixed part belongs to the cycle's price alone", () => {
    const rule = { ...none, percentHundredths: 1000n, fixed: 200n };
    expect(applyMarkupToCycle({ price: 1000n, setupFee: 500n, pricePerCore: 100n }, rule, usd)).toEqual({
      price: 1300n,
      setupFee: 550n,
      pricePerCore: 110n,
    });
    expect(applyMarkupToCycle({ price: 1n, setupFee: 0n, pricePerCore: null }, rule, usd).pricePerCore).toBeNull();
  });

  test("percentages are read exactly", () => {
    expect(parsePercent("12.5")).toBe(1250n);
    expect(parsePercent("-0.05")).toBe(-5n);
    expect(parsePercent("20")).toBe(2000n);
    for (const text of ["", "1.234", "1e2", "+5", "05", " 5", "5%", "100000"]) expect(parsePercent(text)).toBeNull();
  });
});
