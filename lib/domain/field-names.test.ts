import { expect, test } from "vitest";
import { inCamelCase } from "./field-names.ts";

test("fields sent in snake_case have names in camelCase, and keep their values", () => {
  const tags = ["two_words"];
  expect(inCamelCase({ license_id: 12, max_price_per_core: "a_b", tags, seenVersion: undefined })).toEqual({
    licenseId: 12,
    maxPricePerCore: "a_b",
    tags,
    seenVersion: undefined,
  });
});

test.each([["a_b"], [7], [null], [undefined], [[{ license_id: 12 }]]])("%j has no names to change", (value) => {
  expect(inCamelCase(value)).toBe(value);
});
