/** What can be wrong with a server, told from what its agent reports. Pure: the present comes in as `now`. */
import { parseSizeMb } from "./diagnostics.ts";
import { judgeName, type NameFinding, type NameLookup } from "./server-name.ts";

const checkIds = ["silent", "address", "disk", "clock", "name"] as const;
export type CheckId = (typeof checkIds)[number];

/** `unknown`: what it would take to tell is missing. */
export type Verdict = "ok" | "unknown" | "caution" | "critical";

export type Check =
  | { readonly id: "silent"; readonly verdict: Verdict; readonly silentMs: number }
  | { readonly id: "address"; readonly verdict: Verdict; readonly seen: string; readonly bound: string }
  | { readonly id: "disk"; readonly verdict: Verdict; readonly freeMb: number }
  /** The server's clock less ours, in seconds; null where the agent does not tell its time. */
  | { readonly id: "clock"; readonly verdict: Verdict; readonly offsetS: number | null }
  | {
      readonly id: "name";
      readonly verdict: Verdict;
      readonly hostname: string;
      readonly finding: NameFinding;
      /** Where the name leads instead. */
      readonly addresses: readonly string[];
    };

/** A report, as far as checks read it. */
export interface CheckedReport {
  readonly address: string;
  readonly sourceAddress: string;
  readonly diskFree: string;
  readonly clockOffsetS: number | null;
}

const HOUR_MS = 3_600_000;
/** An agent reports every hour: it has missed two reports in a row, or a day of them. */
export const SILENCE_CAUTION_MS = 3 * HOUR_MS;
export const SILENCE_CRITICAL_MS = 24 * HOUR_MS;

const MB_PER_GB = 1024;
const DISK_CAUTION_MB = 5 * MB_PER_GB;
const DISK_CRITICAL_MB = MB_PER_GB;

const CLOCK_CAUTION_S = 60;
/** Beyond it a signed request is refused (contract 3.14). */
const CLOCK_CRITICAL_S = 300;

const severities = { ok: 0, unknown: 0, caution: 1, critical: 2 } as const satisfies Record<Verdict, number>;
export type Severity = (typeof severities)[Verdict];

export function severityOf(checks: readonly Check[]): Severity {
  return checks.reduce<Severity>(
    (worst, { verdict }) => (severities[verdict] > worst ? severities[verdict] : worst),
    0,
  );
}

/** The ids of those that found something. */
export function problemsOf(checks: readonly Check[]): readonly CheckId[] {
  return checks.filter(({ verdict }) => severities[verdict] > 0).map(({ id }) => id);
}

/** The worst first; of the same verdict, in the order of `checkIds`. */
export function worstFirst(checks: readonly Check[]): readonly Check[] {
  const rank = ({ id, verdict }: Check) =>
    (severities[verdict] * 2 + (verdict === "unknown" ? 1 : 0)) * checkIds.length - checkIds.indexOf(id);
  return checks.toSorted((one, other) => rank(other) - rank(one));
}

/** Those that found something, the worst first. */
export function foundProblems(checks: readonly Check[]): readonly Check[] {
  return worstFirst(checks).filter(({ verdict }) => severities[verdict] > 0);
}

/** What the report alone decides, whenever it is read. */
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

/** Whether the agent still reports. */
export function checkSilence(reportedAt: Date, now: Date): Check {
  const silentMs = Math.max(0, now.getTime() - reportedAt.getTime());
  return { id: "silent", verdict: levelOf(silentMs, SILENCE_CAUTION_MS + 1, SILENCE_CRITICAL_MS + 1), silentMs };
}

/** Whether the name leads to the address that the license is bound to. */
export function checkName(hostname: string, bound: string, lookup: NameLookup | "pending" | "not_public"): Check {
  const { finding, addresses } =
    typeof lookup === "string" ? { finding: lookup, addresses: [] } : judgeName(lookup, bound);
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
