import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import type { LicenseDetails } from "#components/license/license-details.ts";
import type { VerificationDay, VerificationEntry } from "#components/license/verification.ts";
import { parseAsPlace } from "#components/ui/list-params.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { verificationCodes } from "#lib/domain/license-status.ts";
import type { VerificationCountRow, VerificationRow } from "#lib/services/license/verifications.ts";

const DAY_MS = 86_400_000;
/** `2027-03-10` in an ISO time. */
const DAY_LENGTH = 10;

export const failureCodes = verificationCodes.filter((code) => code !== "VALID");
/** A license that exists is never answered as not found. */
export const filterCodes = verificationCodes.filter((code) => code !== "NOT_FOUND");

/** `rows`: newest first. */
export function presentVerifications(
  rows: readonly VerificationRow[],
  license: LicenseDetails,
): readonly VerificationEntry[] {
  const movable = license.status === "active" && license.bundleInstanceId === null && !license.busy;
  const offered = new Set([license.ipAddress]);
  return rows.map(({ id, checkedAt, code, seenIp }) => {
    const rebindable = movable && code === "IP_MISMATCH" && !offered.has(seenIp) && parseIpv4(seenIp) !== null;
    if (rebindable) offered.add(seenIp);
    return { id, at: checkedAt.toISOString(), code, seenIp, rebindable };
  });
}

/** Every day from the first on, also those without any. */
export function presentDays(firstDay: Date, days: number, counts: readonly VerificationCountRow[]): VerificationDay[] {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(firstDay.getTime() + index * DAY_MS).toISOString().slice(0, DAY_LENGTH);
    const ofDay = byDay.get(day) ?? [];
    const sum = (valid: boolean) =>
      ofDay.reduce((total, { code, count }) => ((code === "VALID") === valid ? total + count : total), 0);
    return { day, valid: sum(true), failed: sum(false), counts: ofDay.map(({ code, count }) => ({ code, count })) };
  });
}

const verificationParams = { code: parseAsStringLiteral(filterCodes), before: parseAsPlace };
export const loadVerificationParams = createLoader(verificationParams);
export const verificationsHref = createSerializer(verificationParams);
