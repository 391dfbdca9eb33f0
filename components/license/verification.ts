import type { BadgeTone } from "#components/ui/badge.tsx";
import type { VerificationCode } from "#lib/domain/license-status.ts";

/** One answered verification, as pages show it. */
export interface VerificationEntry {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly code: VerificationCode;
  readonly seenIp: string;
  /** The license can be bound to `seenIp` now, which is another address than it is bound to. */
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

/** Why it was answered so. `boundIp`: what the license is bound to now; it may have moved since. */
export function explainVerification({ code, seenIp }: VerificationEntry, boundIp: string): string {
  switch (code) {
    case "VALID":
      return "On the address it was bound to";
    case "IP_MISMATCH":
      return seenIp === boundIp ? "It was bound to another address then" : `Bound to ${boundIp}`;
    case "SUSPENDED":
      return "It was suspended";
    case "EXPIRED":
      return "Its term had ended";
    case "PENDING":
      return "The provider had not confirmed it yet";
    case "TERMINATED":
      return "It had been terminated";
    case "NOT_FOUND":
      return "There was no such license";
    default:
      return code satisfies never;
  }
}
