import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CheckedReport,
  checkName,
  checkReport,
  checkReportAge,
  failedCheckIds,
  REPORT_AGE_CAUTION_MS,
  REPORT_AGE_CRITICAL_MS,
  sortBySeverity,
  type Verdict,
  worstSeverity,
} from "./server-checks.ts";
import { isPublicHostname, type NameLookup } from "./server-name.ts";

const fine: CheckedReport = {
  address: "203.0.113.7",
  sourceAddress: "203.0.113.7",
  diskFree: "40GB",
  clockOffsetS: 2,
};
const now = new Date("2027-03-10T12:00:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);
const verdictOf = (change: Partial<CheckedReport>, id: string): Verdict | undefined =>
  checkReport({ ...fine, ...change }).find((check) => check.id === id)?.verdict;

describe("what a report tells", () => {
  test("a healthy server has no problem", () => {
    const checks = [...checkReport(fine), checkReportAge(now, now)];
    expect(failedCheckIds(checks)).toEqual([]);
    expect(worstSeverity(checks)).toBe(0);
  });

  test("another address than the license's is critical: the license does not verify there", () => {
    expect(verdictOf({ sourceAddress: "198.51.100.9" }, "address")).toBe("critical");
  });

  test.each([
    ["1023MB", "critical"],
    ["1GB", "caution"],
    ["4GB", "caution"],
    ["5GB", "ok"],
    ["0MB", "critical"],
  ] as const)("%s of free disk is %s", (diskFree, verdict) => {
    expect(verdictOf({ diskFree }, "disk")).toBe(verdict);
  });

  test.each([
    [null, "unknown"],
    [60, "ok"],
    [-60, "ok"],
    [61, "caution"],
    [-61, "caution"],
    [300, "caution"],
    [301, "critical"],
    [-301, "critical"],
  ] as const)("a clock that is %s seconds off is %s (contract 3.14)", (clockOffsetS, verdict) => {
    expect(verdictOf({ clockOffsetS }, "clock")).toBe(verdict);
  });

  test.each([
    [0, "ok"],
    [REPORT_AGE_CAUTION_MS, "ok"],
    [REPORT_AGE_CAUTION_MS + 1, "caution"],
    [REPORT_AGE_CRITICAL_MS, "caution"],
    [REPORT_AGE_CRITICAL_MS + 1, "critical"],
    [-5_000, "ok"],
  ] as const)("an agent that was silent for %d ms is %s", (reportAgeMs, verdict) => {
    expect(checkReportAge(ago(reportAgeMs), now).verdict).toBe(verdict);
  });
});

describe("a server's name", () => {
  const verdict = (lookup: NameLookup | "pending" | "not_public") =>
    checkName("web1.example.com", fine.address, lookup);

  test("is fine while one of its addresses is the license's", () => {
    expect(verdict({ kind: "found", addresses: ["198.51.100.1", fine.address] })).toMatchObject({
      verdict: "ok",
      finding: "matches",
      addresses: [],
    });
  });

  test("that resolves elsewhere shows where, except for private addresses", () => {
    expect(verdict({ kind: "found", addresses: ["10.0.0.5", "93.184.215.14"] })).toMatchObject({
      verdict: "caution",
      finding: "elsewhere",
      addresses: ["93.184.215.14"],
    });
  });

  test("that does not exist is a caution; one without an answer, or not looked up, is unknown", () => {
    expect(verdict({ kind: "absent" }).verdict).toBe("caution");
    expect(verdict({ kind: "unanswered" }).verdict).toBe("unknown");
    expect(verdict("not_public").verdict).toBe("unknown");
    expect(verdict("pending").verdict).toBe("unknown");
  });

  test.each(["web1", "localhost", "db.internal", "metadata.google.internal", "nas.local", "a.b.LAN", "x.home.arpa"])(
    "%s is never looked up",
    (hostname) => {
      expect(isPublicHostname(hostname)).toBe(false);
    },
  );

  test.each(["web1.example.com", "a.b.c.co.uk", "local.example.org"])("%s may be looked up", (hostname) => {
    expect(isPublicHostname(hostname)).toBe(true);
  });
});

const anyReport = fc.record({
  address: fc.constant(fine.address),
  sourceAddress: fc.constantFrom(fine.address, "198.51.100.9"),
  diskFree: fc.tuple(fc.nat(2_000), fc.constantFrom("MB", "GB")).map(([amount, unit]) => `${amount}${unit}`),
  clockOffsetS: fc.option(fc.integer({ min: -1_000, max: 1_000 })),
});

test("sorting puts the worst first and keeps every check; the first has the overall severity", () => {
  fc.assert(
    fc.property(anyReport, fc.nat(3 * REPORT_AGE_CRITICAL_MS), (report, reportAgeMs) => {
      const checks = [...checkReport(report), checkReportAge(ago(reportAgeMs), now)];
      const ordered = sortBySeverity(checks);
      expect(new Set(ordered)).toEqual(new Set(checks));
      const severities = ordered.map((check) => worstSeverity([check]));
      expect(severities).toEqual(severities.toSorted((one, other) => other - one));
      expect(severities[0]).toBe(worstSeverity(checks));
      expect(failedCheckIds(checks).length > 0).toBe(worstSeverity(checks) > 0);
    }),
  );
});
