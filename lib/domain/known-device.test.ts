import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { UserId } from "./ids.ts";
import { findKnownDevices, KNOWN_DEVICE_DAYS, rememberDevice } from "./known-device.ts";

const SECRET = "a secret of tests, long enough for one";
const NOW = 1_800_000_000;
const newId = () => randomBytes(16).toString("base64url");
const USER = 1_000_000_007 as UserId;
const find = (cookie: string, account: string, at = NOW) =>
  findKnownDevices(cookie, account, SECRET, at)[0]?.deviceId ?? null;
const remember = (cookie: string, account: string, deviceId = newId(), at = NOW, userId = USER) =>
  rememberDevice(cookie, { account, userId, deviceId }, SECRET, at);

test("a device is known only for accounts that have signed in on it", () => {
  const [ada, ben] = [newId(), newId()];
  const cookie = remember(remember("", "ada@example.com", ada), "ben@example.com", ben);
  expect(find(cookie, "ada@example.com")).toBe(ada);
  expect(find(cookie, "ben@example.com")).toBe(ben);
  expect(find(cookie, "eve@example.com")).toBeNull();
  expect(cookie).not.toContain("example");
});

test("a device is known for the users of an account who have signed in on it, and no others", () => {
  const [one, other] = [1 as UserId, 2 as UserId];
  const [first, second] = [newId(), newId()];
  const cookie = remember(remember("", "ada@example.com", first, NOW, one), "ada@example.com", second, NOW, other);
  expect(findKnownDevices(cookie, "ada@example.com", SECRET, NOW)).toEqual([
    { userId: other, deviceId: second },
    { userId: one, deviceId: first },
  ]);
});

test("a device cookie cannot be forged without the secret", () => {
  const cookie = remember("", "ada@example.com");
  expect(findKnownDevices(cookie, "ada@example.com", `${SECRET}!`, NOW)).toEqual([]);
  expect(find(cookie.replace(`.${USER}.`, ".2."), "ada@example.com")).toBeNull();
  fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (forged) => find(forged, "ada@example.com") === null));
  fc.assert(
    fc.property(fc.nat(cookie.length - 1), fc.constantFrom("A", "b", "3", "-"), (at, letter) => {
      const tampered = cookie.slice(0, at) + letter + cookie.slice(at + 1);
      // The last of 43 letters has two bits that stand for nothing.
      return tampered === cookie || at === cookie.length - 1 || find(tampered, "ada@example.com") === null;
    }),
  );
});

test("signing in again renews the entry in place; a device is forgotten after half a year", () => {
  const id = newId();
  const first = remember("", "ada@example.com", id);
  const later = NOW + KNOWN_DEVICE_DAYS * 86_400;
  expect(find(first, "ada@example.com", later - 1)).toBe(id);
  expect(find(first, "ada@example.com", later)).toBeNull();
  const renewed = remember(first, "ada@example.com", id, later - 1);
  expect(find(renewed, "ada@example.com", later)).toBe(id);
  expect(renewed.split("~")).toHaveLength(1);
});

test("the cookie stays small: it holds the five accounts that signed in last", () => {
  const accounts = Array.from({ length: 8 }, (_, n) => `user${n}@example.com`);
  const cookie = accounts.reduce((kept, account) => remember(kept, account), "");
  expect(accounts.map((account) => find(cookie, account) !== null)).toEqual([
    ...Array(3).fill(false),
    ...Array(5).fill(true),
  ]);
  expect(cookie.length).toBeLessThan(500);
});
