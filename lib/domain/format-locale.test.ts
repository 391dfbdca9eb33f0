import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { countText, numberText } from "./count-text.ts";
import { formatLocales } from "./format-locale.ts";
import { type Currency, formatMoney } from "./money.ts";

const separatorsOf = (text: string) => text.replaceAll(/[^.,\s'’]/g, "").trim();

test.each(formatLocales)("%s writes numbers and money with the same separators, in English", (locale) => {
  const number = separatorsOf((12_345_678.9).toLocaleString(locale));
  for (const currency of ["USD", "EUR", "CHF", "INR"] as unknown as readonly Currency[]) {
    const money = formatMoney(1_234_567_890n, currency, locale)
      .replaceAll(/[A-Z$€₹]/g, "")
      .trim();
    expect(separatorsOf(money), currency).toBe(number);
  }
  expect(new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(0))).toMatch(/Jan/);
});

test("nothing that a page shows has a format of its own", () => {
  const files = globSync("{app,components}/**/*.{ts,tsx}").filter((name) => !/\.test\.tsx?$/.test(name));
  const own = /toLocale(?:Date|Time)?String\(|Intl\.(?:Number|DateTime)Format\(/;
  // It shows each of the formats; and a span of time is written for a field of the browser's.
  const samples = ["components/settings/profile-form.tsx", "components/ui/time-span.ts"];
  expect(files.filter((name) => own.test(readFileSync(name, "utf8"))).sort()).toEqual(samples);
});

test("a number in a text has the reader's separators and no fraction unless asked for", () => {
  expect(numberText(1_234_567)).toBe("1,234,567");
  expect(numberText(1_536.25, 1)).toBe("1,536.3");
  expect(countText(2_000, "entry", "entries")).toBe("2,000 entries");
});
