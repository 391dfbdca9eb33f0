import type { BadgeTone } from "#components/ui/badge.tsx";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import type { VerificationCode } from "#lib/domain/license-status.ts";
import { toDay } from "#lib/domain/times.ts";
import type { VerificationCountRow, VerificationRow } from "#lib/services/license/verifications.ts";
import type { LicenseDetails } from "./license-details.ts";

export interface VerificationEntry extends VerificationRow {
  /** It is the newest of its address, and the license, bound to another, can be bound to it now. */
  readonly rebindable: boolean;
}

/** One day, in UTC. */
export interface VerificationDay {
  /** `2027-03-10`. */
  readonly day: string;
  readonly valid: number;
  readonly counts: readonly VerificationCountRow[];
  readonly failed: number;
}

export const verificationNames = {
  VALID: "Valid",
  IP_MISMATCH: "Wrong address",
  SUSPENDED: "Suspended",
  EXPIRED: "Expired",
  PENDING: "Not confirmed",
  TERMINATED: "Terminated",
  NOT_FOUND: "Not found",
} as const satisfies Record<VerificationCode, string>;

export function toneOfCode(code: VerificationCode): BadgeTone {
  return code === "VALID" ? "positive" : code === "PENDING" ? "neutral" : "critical";
}

const DAY_MS = 86_400_000;

/** `rows`: newest first. */
export function markRebindable(
  rows: readonly VerificationRow[],
  license: LicenseDetails,
): readonly VerificationEntry[] {
  const movable = license.status === "active" && license.bundleInstanceId === null && !license.busy;
  const offered = new Set([license.ipAddress]);
  return rows.map((row) => {
    const { code, seenIp } = row;
    const rebindable = movable && code === "IP_MISMATCH" && !offered.has(seenIp) && parseIpv4(seenIp) !== null;
    if (rebindable) offered.add(seenIp);
    return { ...row, rebindable };
  });
}

/** Every day from the first on, also those without any. */
export function countByDay(firstDay: Date, days: number, counts: readonly VerificationCountRow[]): VerificationDay[] {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  return Array.from({ length: days }, (_, index) => {
    const day = toDay(new Date(firstDay.getTime() + index * DAY_MS));
    const ofDay = byDay.get(day) ?? [];
    const sum = (valid: boolean) =>
      ofDay.reduce((total, { code, count }) => ((code === "VALID") === valid ? total + count : total), 0);
    return { day, valid: sum(true), failed: sum(false), counts: ofDay };
  });
}
