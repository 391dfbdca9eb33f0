import { describe, expect, test } from "vitest";
import { type BulkLicenseFacts, findBulkObstacle, type LicenseBulkChange } from "./bulk-license.ts";

const now = new Date("2027-03-10T12:00:00Z");
const before = new Date("2027-03-01T00:00:00Z");
const after = new Date("2027-04-01T00:00:00Z");

const active: BulkLicenseFacts = {
  terminatedAt: null,
  provisionedAt: before,
  suspendedAt: null,
  expiresAt: after,
  bundleInstanceId: null,
  suspendedBy: null,
  busy: false,
  autoRenew: false,
  price: 1450n,
};
const licenses = {
  active,
  expired: { ...active, expiresAt: before },
  suspended: { ...active, suspendedAt: before, suspendedBy: "reseller" },
  suspendedByAdmin: { ...active, suspendedAt: before, suspendedBy: "admin" },
  pending: { ...active, provisionedAt: null, busy: true },
  terminated: { ...active, terminatedAt: before },
  member: { ...active, bundleInstanceId: 1, price: null },
  busy: { ...active, busy: true },
  unsold: { ...active, price: null },
  renewing: { ...active, autoRenew: true },
  paid25YearsAhead: { ...active, expiresAt: new Date("2052-03-10T12:00:00Z") },
  paidFurtherAhead: { ...active, expiresAt: new Date("2052-03-10T12:00:01Z") },
} as const satisfies Record<string, BulkLicenseFacts>;

const renew: LicenseBulkChange = { kind: "renew" };
const suspend: LicenseBulkChange = { kind: "suspend", reason: "" };
const unsuspend: LicenseBulkChange = { kind: "unsuspend" };
const terminate: LicenseBulkChange = { kind: "terminate" };
const notes: LicenseBulkChange = { kind: "set_notes", notes: "" };
const autoRenewOn: LicenseBulkChange = { kind: "set_auto_renew", on: true };
const autoRenewOff: LicenseBulkChange = { kind: "set_auto_renew", on: false };
const changeIp = { kind: "change_ip" } as const;

const obstacles: Record<keyof typeof licenses, readonly (string | null)[]> = {
  // renew, suspend, unsuspend, notes, on, off, terminate, change IP
  active: [null, null, "not_suspended", null, null, "unchanged", null, null],
  expired: [null, null, "not_suspended", null, null, "unchanged", "expired", "expired"],
  suspended: [null, "suspended_already", null, null, null, "unchanged", null, null],
  suspendedByAdmin: [
    null,
    "suspended_already",
    "suspended_by_admin",
    null,
    null,
    "unchanged",
    "suspended_by_admin",
    null,
  ],
  pending: ["pending", "pending", "pending", null, null, "unchanged", "pending", "pending"],
  terminated: [...Array(3).fill("terminated"), null, ...Array(4).fill("terminated")],
  member: [
    "bundle_member",
    null,
    "not_suspended",
    null,
    "bundle_member",
    "bundle_member",
    "ends_with_bundle",
    "moves_with_bundle",
  ],
  busy: ["busy", "busy", "not_suspended", null, null, "unchanged", "busy", "busy"],
  unsold: ["no_price", null, "not_suspended", null, null, "unchanged", null, null],
  renewing: [null, null, "not_suspended", null, "unchanged", null, null, null],
  paid25YearsAhead: [null, null, "not_suspended", null, null, "unchanged", null, null],
  paidFurtherAhead: ["paid_far_ahead", null, "not_suspended", null, null, "unchanged", null, null],
};

describe.each(Object.keys(licenses) as (keyof typeof licenses)[])("a license that is %s", (name) => {
  test("is excluded from exactly the changes it cannot have, with the decisive reason", () => {
    const changes = [renew, suspend, unsuspend, notes, autoRenewOn, autoRenewOff, terminate, changeIp];
    const found = changes.map((change) => findBulkObstacle(change, licenses[name], { now, asAdmin: false }));
    expect(found).toEqual(obstacles[name]);
  });
});

test("an admin can lift an admin's suspension, and end what an admin suspended (contract 1.15)", () => {
  expect(findBulkObstacle(terminate, licenses.suspendedByAdmin, { now, asAdmin: true })).toBeNull();
  expect(findBulkObstacle(unsuspend, licenses.suspendedByAdmin, { now, asAdmin: true })).toBeNull();
});

test("without a price by another cycle, the license has no such cycle; by its own, that is not sold any more", () => {
  const conditions = { now, asAdmin: false };
  expect(findBulkObstacle({ kind: "renew", months: 12 }, licenses.unsold, conditions)).toBe("no_cycle");
  expect(findBulkObstacle(renew, licenses.unsold, conditions)).toBe("no_price");
});
