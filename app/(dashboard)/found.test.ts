import { expect, test } from "vitest";
import type { FoundObject } from "#lib/services/search/search.ts";
import { presentFound } from "./found.ts";

const reader = { isAdmin: false, seesWallet: true, now: new Date("2026-11-25T12:00:00Z") };

function detailOf(kind: "license" | "bundle", label: string, detail: string) {
  const facts = {
    expiresAt: new Date("2027-01-01T00:00:00Z"),
    provisionedAt: new Date("2026-01-01T00:00:00Z"),
    suspendedAt: null,
    terminatedAt: null,
  };
  const object = { id: "203", label, detail, resellerId: null, resellerName: null, notes: "", ...facts };
  return presentFound({ kind, object } as FoundObject, reader).detail;
}

test("what is found shows its address once: in its name where it has no host name, else beside it", () => {
  const detail = "203.0.113.7 · LIC-A";
  expect(detailOf("license", "Site Builder on 203.0.113.7", detail)).toBe("lic_203 · LIC-A");
  expect(detailOf("license", "Site Builder on web1.example.com", detail)).toBe("lic_203 · 203.0.113.7 · LIC-A");
  expect(detailOf("bundle", "Hosting Suite on 203.0.113.7", "203.0.113.7 · bundle 203")).toBe("bundle 203");
});
