import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkCatalogFields,
  computeMarkup,
  findMemberProblem,
  findTermProblem,
  formatMarkup,
  parsePrices,
} from "./catalog.ts";
import { type Currency, toMajorText } from "./money.ts";

const USD = "USD" as Currency;
const JPY = "JPY" as Currency;
const fieldsOf = (parsed: ReturnType<typeof parsePrices>) =>
  "problems" in parsed ? parsed.problems.map(({ field }) => field) : [];

describe("a price as typed", () => {
  test("round-trips for any amount", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n - 1n), fc.constantFrom("USD", "JPY", "KWD"), (minor, code) => {
        const currency = code as Currency;
        const text = toMajorText(minor, currency);
        expect(parsePrices({ price: text, setupFee: "", pricePerCore: text }, currency, true)).toEqual({
          prices: { price: minor, setupFee: 0n, pricePerCore: minor },
        });
      }),
    );
  });

  test.each([
    ["", ["price"]],
    ["-1", ["price"]],
    ["1.005", ["price"]],
    ["1e3", ["price"]],
    ["12,500", ["price"]],
  ])("%o is refused", (price, fields) => {
    expect(fieldsOf(parsePrices({ price, setupFee: "0", pricePerCore: null }, USD, false))).toEqual(fields);
  });

  test("has the decimals of its currency", () => {
    expect(fieldsOf(parsePrices({ price: "100.5", setupFee: "1.5", pricePerCore: null }, JPY, false))).toEqual([
      "price",
      "setup_fee",
    ]);
  });

  test("has a price per core exactly when the product is metered", () => {
    expect(fieldsOf(parsePrices({ price: "1", setupFee: "", pricePerCore: "" }, USD, true))).toEqual([
      "price_per_core",
    ]);
    expect(fieldsOf(parsePrices({ price: "1", setupFee: "", pricePerCore: "1" }, USD, false))).toEqual([
      "price_per_core",
    ]);
  });
});

describe("fields of the catalog", () => {
  test.each([
    ["name", { name: "" }],
    ["name", { name: "a\0" }],
    ["name", { name: "x".repeat(101) }],
    ["type", { slug: "Web Server" }],
    ["type", { slug: "1st" }],
    ["type", { slug: "x".repeat(51) }],
    ["description", { description: "x".repeat(1001) }],
    ["workers", { workers: -1 }],
    ["workers", { workers: 1_025 }],
    ["provider_sku", { providerSku: "" }],
    ["provider_sku", { providerSku: "x".repeat(201) }],
    ["months", { months: 0 }],
    ["months", { months: 121 }],
    ["provider_cycle", { providerCycle: "x".repeat(201) }],
  ])("%s: %o is refused", (field, fields) => {
    expect(checkCatalogFields(fields).map((problem) => problem.field)).toEqual([field]);
  });

  test("an empty required field says only that it is required", () => {
    expect(checkCatalogFields({ slug: "", name: "", providerSku: "" })).toEqual(
      ["name", "type", "provider_sku"].map((field) => ({ field, kind: "missing", message: "is required" })),
    );
  });

  test("valid and absent fields are accepted", () => {
    expect(checkCatalogFields({})).toEqual([]);
    expect(
      checkCatalogFields({
        slug: "web_server",
        name: "Web Server",
        description: "",
        workers: 0,
        providerSku: "7",
        months: 120,
        providerCycle: null,
      }),
    ).toEqual([]);
    const longest = { slug: "x".repeat(50), name: "x".repeat(100), description: "x".repeat(1_000), workers: 1_024 };
    expect(checkCatalogFields({ ...longest, providerSku: "x".repeat(200), providerCycle: "x".repeat(200) })).toEqual(
      [],
    );
  });
});

const member = (id: number, change: Partial<Parameters<typeof findMemberProblem>[0][number]> = {}) => ({
  id,
  name: `Product ${id}`,
  provider: "sandbox",
  coreMetered: false,
  retired: false,
  cycles: [{ months: 1, currencies: ["USD"] }],
  ...change,
});

describe("a bundle's members", () => {
  test("are two or more, each once, on sale, and of one provider", () => {
    expect(findMemberProblem([member(1), member(2)])).toBeNull();
    expect(findMemberProblem([member(1)])).toContain("two or more");
    expect(findMemberProblem([member(1), member(1)])).toContain("once");
    expect(findMemberProblem([member(1), member(2, { retired: true })])).toContain("Product 2");
    expect(findMemberProblem([member(1), member(2, { provider: "upstream" })])).toContain("upstream");
  });

  test("each have a cycle of the bundle's months, the metered ones with a price in its currency", () => {
    const metered = member(2, { coreMetered: true });
    expect(findTermProblem([member(1), metered], 1, "USD")).toBeNull();
    expect(findTermProblem([member(1), metered], 3, "USD")).toContain("Product 1 has no cycle of 3 months");
    expect(findTermProblem([member(1), metered], 1, "EUR")).toContain("Product 2 is metered");
    expect(findTermProblem([member(1), member(2)], 1, "EUR")).toBeNull();
    expect(findTermProblem([member(1), metered], 1, null)).toBeNull();
  });
});

test("a markup is a share of the cost, formatted with its sign", () => {
  expect(computeMarkup(1200n, 1000n)).toBe(2000n);
  expect(computeMarkup(900n, 1000n)).toBe(-1000n);
  expect(computeMarkup(900n, 0n)).toBeNull();
  expect([2000n, -1250n, 5n, 0n].map(formatMarkup)).toEqual(["+20%", "−12.5%", "+0.05%", "+0%"]);
});
