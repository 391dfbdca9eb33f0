import fc from "fast-check";
import { expect, test } from "vitest";
import { cursorOf, formatCursor, licenseOrders, ordersOf, parseCursor } from "./license-order.ts";

const license = fc.record({
  id: fc.integer({ min: 1, max: 2_147_483_647 }),
  expiresAt: fc.date({
    min: new Date("1970-01-01T00:00:00Z"),
    max: new Date("9999-12-31T00:00:00Z"),
    noInvalidDate: true,
  }),
  ipAddress: fc.ipV4(),
});

test("a place is read back from what is written of it, in every order", () => {
  fc.assert(
    fc.property(license, fc.constantFrom(...licenseOrders), (placed, order) => {
      const cursor = cursorOf(placed, order);
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

test("what has ended, or ends soon, is ordered by its end; what is active never begins with the oldest", () => {
  expect(ordersOf({ status: "expired" })).toEqual(["ends_last", "ends_first"]);
  expect(ordersOf({ expiresWithinDays: 7, status: "active" })).toEqual(["ends_first", "ends_last"]);
  expect(ordersOf({ status: "active" })).not.toContain("oldest");
  expect(ordersOf({ status: "suspended" })).toEqual(licenseOrders);
  expect(ordersOf({ addresses: { first: "10.0.0.0", last: "10.0.255.255" } })).toEqual(["address", "address_last"]);
  expect(ordersOf({ text: "web" })).not.toContain("address");
  expect(ordersOf({})[0]).toBe("newest");
});
