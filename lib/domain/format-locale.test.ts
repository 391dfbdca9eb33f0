import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
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
  const own =
    /toLocale(?:Date|Time)?String\((?!formatLocale\(\))|Intl\.(?:Number|DateTime)Format\((?!formatLocale\(\))/;
  // It shows each of the formats; and a span of time is written for a field of the browser's.
  const samples = ["components/settings/profile-form.tsx", "components/ui/time-span.ts"];
  expect(files.filter((name) => own.test(readFileSync(name, "utf8"))).sort()).toEqual(samples);
});
