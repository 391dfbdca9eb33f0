import { expect, test } from "vitest";
import { type BulkBundleFacts, type BundleBulkChange, findBundleObstacle } from "./bulk-bundle.ts";

const now = new Date("2027-03-10T12:00:00Z");
const before = new Date("2027-03-01T00:00:00Z");
const after = new Date("2027-04-01T00:00:00Z");
const active: BulkBundleFacts = {
  terminatedAt: null,
  provisionedAt: before,
  expiresAt: after,
  busy: false,
  autoRenew: false,
  price: 2990n,
};
const renew: BundleBulkChange = { kind: "renew_bundle" };
const on: BundleBulkChange = { kind: "set_bundle_auto_renew", on: true };

test.each<[string, BundleBulkChange, Partial<BulkBundleFacts>, string | null]>([
  ["one that runs is renewed", renew, {}, null],
  ["one that has ended is renewed", renew, { expiresAt: before }, null],
  ["one that is terminated is not renewed", renew, { terminatedAt: before }, "terminated"],
  ["one that is not confirmed is not renewed", renew, { provisionedAt: null }, "pending"],
  ["one with an open change is not renewed", renew, { busy: true }, "busy"],
  ["one that ends 25 years ahead is renewed", renew, { expiresAt: new Date("2052-03-10T12:00:00Z") }, null],
  ["one that ends later is not renewed", renew, { expiresAt: new Date("2052-03-10T12:00:01Z") }, "paid_far_ahead"],
  ["one that is not sold any more is not renewed", renew, { price: null }, "no_price"],
  ["one is switched on, whatever else is open", on, { busy: true }, null],
  ["one that is on already is left out", on, { autoRenew: true }, "unchanged"],
  ["one that is terminated is not switched", on, { terminatedAt: before }, "terminated"],
])("%s", (_, change, facts, obstacle) => {
  expect(findBundleObstacle(change, { ...active, ...facts }, now)).toBe(obstacle);
});
