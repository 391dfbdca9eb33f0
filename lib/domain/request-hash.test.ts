import { expect, test } from "vitest";
import { hashRequest } from "./request-hash.ts";

const base = { id: 1, notes: "a", until: new Date(0), price: 5n, tags: ["x", "y"], nested: { a: 1, b: 2 } };
const hash = hashRequest("license.renew", base);

test.each([
  [
    "fields in another order",
    { nested: { b: 2, a: 1 }, price: 5n, until: new Date(0), tags: ["x", "y"], notes: "a", id: 1 },
  ],
  ["an absent field", { ...base, cycle: undefined }],
  ["a null field", { ...base, cycle: null }],
])("%s is the same request", (_, parameters) => {
  expect(hashRequest("license.renew", parameters)).toEqual(hash);
});

test.each([
  ["another value", { ...base, id: 2 }],
  ["another type of value", { ...base, id: "1" }],
  ["an amount instead of a number", { ...base, id: 1n }],
  ["another amount", { ...base, price: 6n }],
  ["another time", { ...base, until: new Date(1) }],
  ["another order of a list", { ...base, tags: ["y", "x"] }],
  ["a field more", { ...base, cycle: 1 }],
  ["empty text instead of no value", { ...base, cycle: "" }],
  ["a field moved into another object", { ...base, id: undefined, nested: { a: 1, b: 2, id: 1 } }],
])("%s is another request", (_, parameters) => {
  expect(hashRequest("license.renew", parameters)).not.toEqual(hash);
});

test("the same parameters of another operation are another request", () => {
  expect(hashRequest("license.suspend", base)).not.toEqual(hash);
});
