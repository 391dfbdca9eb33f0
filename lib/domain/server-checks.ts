/** Checks a server by what its agent reports. */
import { parseSizeMb } from "./diagnostics.ts";
import { assessName, type NameFinding, type NameLookup } from "./server-name.ts";

const checkIds = ["silent", "address", "disk", "clock", "name"] as const;
export type CheckId = (typeof checkIds)[number];

/** `unknown`: the data for a verdict is missing. */
export type Verdict = "ok" | "unknown" | "caution" | "critical";

export type Check =
  | { readonly id: "silent"; readonly verdict: Verdict; readonly reportAgeMs: number }
  | { readonly id: "address"; readonly verdict: Verdict; readonly seen: string; readonly bound: string }
  | { readonly id: "disk"; readonly verdict: Verdict; readonly freeMb: number }
  /** The server's clock minus ours, in seconds; null if the agent does not report its time. */
  | { readonly id: "clock"; readonly verdict: Verdict; readonly offsetS: number | null }
  | {
      readonly id: "name";
      readonly verdict: Verdict;
      readonly hostname: string;
      readonly finding: NameFinding;
      /** Public addresses that the name resolves to instead. */
      readonly addresses: readonly string[];
    };

/** The part of a report that checks read. */
export interface CheckedReport {
  readonly address: string;
  readonly sourceAddress: string;
  readonly diskFree: string;
  readonly clockOffsetS: number | null;
}

const HOUR_MS = 3_600_000;
/** Agents report every hour: two missed reports in a row, or a day of them. */
export const REPORT_AGE_CAUTION_MS = 3 * HOUR_MS;
export const REPORT_AGE_CRITICAL_MS = 24 * HOUR_MS;

const MB_PER_GB = 1024;
const DISK_CAUTION_MB = 5 * MB_PER_GB;
const DISK_CRITICAL_MB = MB_PER_GB;

const CLOCK_CAUTION_S = 60;
/** Beyond it, signed requests are rejected (contract 3.14). */
const CLOCK_CRITICAL_S = 300;

const severities = { ok: 0, unknown: 0, caution: 1, critical: 2 } as const satisfies Record<Verdict, number>;
export type Severity = (typeof severities)[Verdict];

export function worstSeverity(checks: readonly Check[]): Severity {
  return checks.reduce<Severity>(
    (worst, { verdict }) => (severities[verdict] > worst ? severities[verdict] : worst),
    0,
  );
}

/** Ids of the failed checks. */
export function failedCheckIds(checks: readonly Check[]): readonly CheckId[] {
  return checks.filter(({ verdict }) => severities[verdict] > 0).map(({ id }) => id);
}

/** Worst verdict first, then in the order of `checkIds`. */
export function sortBySeverity(checks: readonly Check[]): readonly Check[] {
  const rank = ({ id, verdict }: Check) =>
    (severities[verdict] * 2 + (verdict === "unknown" ? 1 : 0)) * checkIds.length - checkIds.indexOf(id);
  return checks.toSorted((one, other) => rank(other) - rank(one));
}

/** Failed checks, worst first. */
export function failedChecks(checks: readonly Check[]): readonly Check[] {
  return sortBySeverity(checks).filter(({ verdict }) => severities[verdict] > 0);
}

/** Checks that depend on the report alone. */
export function checkReport(report: CheckedReport): readonly Check[] {
  const { address, sourceAddress, diskFree, clockOffsetS } = report;
  const freeMb = parseSizeMb(diskFree);
  const driftS = Math.abs(clockOffsetS ?? 0);
  return [
    { id: "address", verdict: sourceAddress === address ? "ok" : "critical", seen: sourceAddress, bound: address },
    { id: "disk", verdict: levelOf(-freeMb, 1 - DISK_CAUTION_MB, 1 - DISK_CRITICAL_MB), freeMb },
    {
      id: "clock",
      verdict: clockOffsetS === null ? "unknown" : levelOf(driftS, CLOCK_CAUTION_S + 1, CLOCK_CRITICAL_S + 1),
      offsetS: clockOffsetS,
    },
  ];
}

/** Checks whether the agent still reports. */
export function checkReportAge(reportedAt: Date, now: Date): Check {
  const reportAgeMs = Math.max(0, now.getTime() - reportedAt.getTime());
  return {
    id: "silent",
    verdict: levelOf(reportAgeMs, REPORT_AGE_CAUTION_MS + 1, REPORT_AGE_CRITICAL_MS + 1),
    reportAgeMs,
  };
}

/** Checks whether the name resolves to the license's address. */
export function checkName(hostname: string, bound: string, lookup: NameLookup | "pending" | "not_public"): Check {
  const { finding, addresses } =
    typeof lookup === "string" ? { finding: lookup, addresses: [] } : assessName(lookup, bound);
  return { id: "name", verdict: nameVerdicts[finding], hostname, finding, addresses };
}

const nameVerdicts = {
  matches: "ok",
  elsewhere: "caution",
  absent: "caution",
  unanswered: "unknown",
  not_public: "unknown",
  pending: "unknown",
} as const satisfies Record<NameFinding, Verdict>;

function levelOf(value: number, cautionFrom: number, criticalFrom: number): Verdict {
  if (value >= criticalFrom) return "critical";
  return value >= cautionFrom ? "caution" : "ok";
}
