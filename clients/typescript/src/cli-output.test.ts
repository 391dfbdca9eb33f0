import { expect, test } from "vitest";
import { formatMoney } from "./cli-output.ts";

test("an amount is shown with all of its decimals, also where the currency usually has none", () => {
  expect(formatMoney(12.5, "USD")).toBe("$12.50");
  expect(formatMoney(12.5, "HUF")).toMatch(/^HUF\s12\.5$/);
  expect(formatMoney(1_234.567, "IQD")).toMatch(/^IQD\s1,234\.567$/);
  expect(formatMoney(1_000, "JPY")).toBe("¥1,000");
});
