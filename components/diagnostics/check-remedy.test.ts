import { expect, test } from "vitest";
import { type Check, checkName, checkReport, checkReportAge, type Verdict } from "#lib/domain/server-checks.ts";
import { remedyOf } from "./check-remedy.ts";
import { describeCheck, serverProblems } from "./check-text.ts";

const ADDRESS = "203.0.113.7";
const now = new Date("2027-01-31T12:00:00Z");
const report = { address: ADDRESS, sourceAddress: ADDRESS, diskFree: "100GB", clockOffsetS: 0 };

/** Every check as its rules find it: each report differs in one thing. */
const checks: readonly Check[] = [
  ...[0, 4, 50].map((hours) => checkReportAge(new Date(now.getTime() - hours * 3_600_000), now)),
  ...[
    {},
    { sourceAddress: "198.51.100.77" },
    ...["3GB", "600MB"].map((diskFree) => ({ diskFree })),
    ...[90, -4_000, null].map((clockOffsetS) => ({ clockOffsetS })),
  ].flatMap((found) => checkReport({ ...report, ...found })),
  ...(["pending", "not_public"] as const).map((lookup) => checkName("web1.example.com", ADDRESS, lookup)),
  ...(["elsewhere", "absent"] as const).map((finding) => ({
    ...({ id: "name", verdict: "caution", hostname: "web1.example.com", addresses: [] } as const),
    finding,
  })),
];
const isFinding = (verdict: Verdict) => verdict === "caution" || verdict === "critical";

test("every finding leads to its remedy, and nothing that is fine does", () => {
  const found = checks.filter(({ verdict }) => isFinding(verdict));
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set([...serverProblems, "name"]));
  for (const check of found) expect(remedyOf(check, ADDRESS), describeCheck(check).title).not.toBeNull();
  for (const check of checks.filter(({ verdict }) => verdict === "ok")) expect(remedyOf(check, ADDRESS)).toBeNull();
  for (const check of checks) {
    if (describeCheck(check).advice !== null) expect(remedyOf(check, ADDRESS), check.id).not.toBeNull();
  }
});
