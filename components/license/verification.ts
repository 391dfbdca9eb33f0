import type { BadgeTone } from "#components/ui/badge.tsx";
import type { VerificationCode } from "#lib/domain/license-status.ts";

/** One answered verification, as pages show it. */
export interface VerificationEntry {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly code: VerificationCode;
  readonly seenIp: string;
  /** It is the newest of its address, and the license, bound to another, can be bound to it now. */
  readonly rebindable: boolean;
}

/** One day, in UTC. */
export interface VerificationDay {
  /** `2027-03-10`. */
  readonly day: string;
  readonly valid: number;
  readonly counts: readonly { readonly code: VerificationCode; readonly count: number }[];
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
