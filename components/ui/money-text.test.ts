import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { type FormatLocale, findReaderBy, formatLocales } from "#lib/domain/format-locale.ts";
import { type Currency, listCurrencies, toMajorNumber, toMajorText } from "#lib/domain/money.ts";
import { parseTypedAmount } from "#lib/domain/typed-amount.ts";
import { compactMoneyText, fieldAmount, moneyText, shownAmount } from "./money-text.ts";

const readBy = (formatLocale: FormatLocale) => findReaderBy(() => ({ formatLocale }));
afterEach(() => findReaderBy(() => undefined));

test("an amount that is not being typed is shown in the reader's format, decimals too, and what is none as it is", () => {
  const shownIn = (formatLocale: FormatLocale) => {
    readBy(formatLocale);
    return ["2150", "1234567.50", "12.00", "", "abc", "1.2.3"].map(shownAmount);
  };
  expect(shownIn("en-US")).toEqual(["2,150", "1,234,567.50", "12.00", "", "abc", "1.2.3"]);
  expect(shownIn("en-AT")).toEqual(["2.150", "1.234.567,50", "12,00", "", "abc", "1.2.3"]);
});

test("a field begins with the reader's format, and what it begins with is the same amount when it is sent", () => {
  readBy("en-AT");
  expect(fieldAmount("10000.00", "EUR" as Currency)).toBe("10.000,00");
  fc.assert(
    fc.property(
      fc.constantFrom(...formatLocales),
      fc.constantFrom("EUR", "JPY", "KWD") as fc.Arbitrary<Currency>,
      fc.bigInt(0n, 10n ** 14n),
      (locale, currency, minor) => {
        readBy(locale);
        expect(parseTypedAmount(fieldAmount(toMajorText(minor, currency), currency), currency)).toEqual({ minor });
      },
    ),
  );
});

test("a short amount has all its decimal places or none", () => {
  readBy("en-US");
  const shorten = (majors: readonly number[]) => majors.map((major) => compactMoneyText(major, "USD"));
  expect(shorten([0.5, 7.5, 9.75, 99.99])).toEqual(["$0.50", "$7.50", "$9.75", "$99.99"]);
  expect(shorten([15, 150, 181.52])).toEqual(["$15", "$150", "$182"]);
});

test("a short amount below 100 is rounded in no currency", () => {
  readBy("en-US");
  fc.assert(
    fc.property(fc.constantFrom(...listCurrencies()), fc.integer({ min: -9_999, max: 9_999 }), (currency, amount) => {
      const minor = BigInt(amount);
      fc.pre(Math.abs(toMajorNumber(minor, currency)) < 100);
      const whole = moneyText(minor, currency).replace(/\.0{1,3}$/, "");
      expect(compactMoneyText(toMajorNumber(minor, currency), currency)).toBe(whole);
    }),
  );
});

test("a short amount below zero has the sign that every other amount has", () => {
  readBy("en-US");
  expect([-80, 0, 1200].map((major) => compactMoneyText(major, "USD"))).toEqual(["−$80", "$0", "$1.2K"]);
});
