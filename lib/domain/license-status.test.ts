import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  deriveLicenseStatus,
  isLive,
  licenseStatuses,
  unknownLicenseOutcome,
  verificationCodes,
  verificationOutcome,
} from "./license-status.ts";

const now = new Date("2027-01-31T00:00:00Z");
const past = new Date(now.getTime() - 1);
const future = new Date(now.getTime() + 1);
const active = { terminatedAt: null, provisionedAt: past, suspendedAt: null, expiresAt: future };
const anyFacts = fc.record({
  terminatedAt: fc.constantFrom(null, past),
  provisionedAt: fc.constantFrom(null, past),
  suspendedAt: fc.constantFrom(null, past),
  expiresAt: fc.constantFrom(past, now, future),
});

describe("deriveLicenseStatus", () => {
  test("contract 1.15: the precedence is terminated > pending > suspended > expired > active", () => {
    const facts = { terminatedAt: past, provisionedAt: null, suspendedAt: past, expiresAt: past };
    expect(deriveLicenseStatus(facts, now)).toBe("terminated");
    expect(deriveLicenseStatus({ ...facts, terminatedAt: null }, now)).toBe("pending");
    expect(deriveLicenseStatus({ ...facts, terminatedAt: null, provisionedAt: past }, now)).toBe("suspended");
    expect(deriveLicenseStatus({ ...active, expiresAt: past }, now)).toBe("expired");
    expect(deriveLicenseStatus(active, now)).toBe("active");
  });

  test("contract 1.15: a license has expired at the very second of its end, without any job", () => {
    expect(deriveLicenseStatus({ ...active, expiresAt: now }, now)).toBe("expired");
    expect(deriveLicenseStatus(active, future)).toBe("expired");
  });

  test("contract 1.15: every combination of facts has one status, and an active license is live", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const status = deriveLicenseStatus(facts, now);
        expect(licenseStatuses).toContain(status);
        if (status === "active") expect(isLive(facts, now)).toBe(true);
        if (status === "terminated" || status === "expired") expect(isLive(facts, now)).toBe(false);
      }),
    );
  });

  test("contract 3.3: a pending or suspended license occupies its address until it expires", () => {
    expect(isLive({ ...active, terminatedAt: null }, now)).toBe(true);
    expect(isLive({ terminatedAt: null, expiresAt: now }, now)).toBe(false);
    expect(isLive({ terminatedAt: past, expiresAt: future }, now)).toBe(false);
  });
});

describe("verificationOutcome", () => {
  const ips = { boundIp: "203.0.113.7", seenIp: "203.0.113.7" };

  test("contract 2.2: valid is true only for an active license at its own address", () => {
    fc.assert(
      fc.property(anyFacts, fc.boolean(), (facts, isAtHome) => {
        const seenIp = isAtHome ? ips.boundIp : "203.0.113.8";
        const outcome = verificationOutcome({ facts, boundIp: ips.boundIp, seenIp, now });
        const isActive = deriveLicenseStatus(facts, now) === "active";
        expect(outcome.valid).toBe(isActive && isAtHome);
        expect(outcome.valid).toBe(outcome.code === "VALID");
        expect(verificationCodes).toContain(outcome.code);
      }),
    );
  });

  test.each([
    ["VALID", {}, ips.boundIp],
    ["IP_MISMATCH", {}, "203.0.113.8"],
    ["EXPIRED", { expiresAt: past }, "203.0.113.8"],
    ["SUSPENDED", { suspendedAt: past, expiresAt: past }, "203.0.113.8"],
    ["PENDING", { provisionedAt: null, suspendedAt: past, expiresAt: past }, "203.0.113.8"],
    ["TERMINATED", { terminatedAt: past, provisionedAt: null, expiresAt: past }, "203.0.113.8"],
  ])("contract 2.2: %s goes before everything weaker", (code, facts, seenIp) => {
    const outcome = verificationOutcome({ facts: { ...active, ...facts }, boundIp: ips.boundIp, seenIp, now });
    expect(outcome.code).toBe(code);
  });

  test("contract 1.12, 2.2: an unknown key is NOT_FOUND and invalid", () => {
    expect(unknownLicenseOutcome).toMatchObject({ valid: false, code: "NOT_FOUND" });
  });
});
