import fc from "fast-check";
import { expect, test } from "vitest";
import { availableOrders, formatCursor, licenseOrders, parseCursor, toCursor } from "./license-order.ts";

const license = fc.record({
  id: fc.integer({ min: 1, max: 2_147_483_647 }),
  expiresAt: fc.date({
    min: new Date("1970-01-01T00:00:00Z"),
    max: new Date("9999-12-31T00:00:00Z"),
    noInvalidDate: true,
  }),
  ipAddress: fc.ipV4(),
});

test("cursors round-trip in every order", () => {
  fc.assert(
    fc.property(license, fc.constantFrom(...licenseOrders), (placed, order) => {
      const cursor = toCursor(placed, order);
      expect(parseCursor(formatCursor(cursor), order)).toEqual(cursor);
    }),
  );
});

test.each([
  ["12", "address"],
  ["12", "ends_first"],
  ["5.12", "newest"],
  ["4294967296.1", "address"],
  ["999999999999999.1", "ends_last"],
  ["1.0", "address"],
  ["1.2147483648", "address"],
  ["2147483648", "oldest"],
  ["-1", "newest"],
  ["1.2.3", "address"],
  ["", "newest"],
  ["abc", "newest"],
] as const)("%j is no place in the order %s", (text, order) => expect(parseCursor(text, order)).toBeNull());

test("expired and expiring licenses are ordered by their end; active ones are never listed oldest first", () => {
  expect(availableOrders({ status: "expired" })).toEqual(["ends_last", "ends_first"]);
  expect(availableOrders({ expiresWithinDays: 7, status: "active" })).toEqual(["ends_first", "ends_last"]);
  expect(availableOrders({ status: "active" })).not.toContain("oldest");
  expect(availableOrders({ status: "suspended" })).toEqual(licenseOrders);
  expect(availableOrders({ addresses: { first: "10.0.0.0", last: "10.0.255.255" } })).toEqual([
    "address",
    "address_last",
  ]);
  expect(availableOrders({ text: "web" })).not.toContain("address");
  expect(availableOrders({})[0]).toBe("newest");
});
