/** Status values of both interfaces (contract 1.15). */
export const licenseStatuses = ["pending", "active", "suspended", "expired", "terminated"] as const;

export type LicenseStatus = (typeof licenseStatuses)[number];

/** Stored facts that the status derives from, so `expired` needs no job. */
export interface LicenseFacts {
  readonly terminatedAt: Date | null;
  /** Null while the provider's outcome is unknown. */
  readonly provisionedAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly expiresAt: Date;
}

/** Codes of `POST /license/verify` (contract 2.2). */
export const verificationCodes = [
  "VALID",
  "NOT_FOUND",
  "PENDING",
  "SUSPENDED",
  "EXPIRED",
  "TERMINATED",
  "IP_MISMATCH",
] as const;

export type VerificationCode = (typeof verificationCodes)[number];

export interface VerificationOutcome {
  readonly valid: boolean;
  readonly code: VerificationCode;
  readonly message: string;
}

const outcomes = {
  VALID: { valid: true, code: "VALID", message: "The license is valid." },
  NOT_FOUND: { valid: false, code: "NOT_FOUND", message: "No such license." },
  PENDING: { valid: false, code: "PENDING", message: "The license is not active yet." },
  SUSPENDED: { valid: false, code: "SUSPENDED", message: "The license is suspended." },
  EXPIRED: { valid: false, code: "EXPIRED", message: "The license has expired." },
  TERMINATED: { valid: false, code: "TERMINATED", message: "The license was terminated." },
  IP_MISMATCH: { valid: false, code: "IP_MISMATCH", message: "The license is bound to another IP address." },
} as const satisfies Record<VerificationCode, VerificationOutcome>;

/** Outcome for a well-formed key that does not exist or belongs to another reseller (contract 1.12, 2.2). */
export const unknownLicenseOutcome: VerificationOutcome = outcomes.NOT_FOUND;

/** Precedence: terminated > pending > suspended > expired > active (contract 1.15). */
export function deriveLicenseStatus(facts: LicenseFacts, now: Date): LicenseStatus {
  if (facts.terminatedAt !== null) return "terminated";
  if (facts.provisionedAt === null) return "pending";
  if (facts.suspendedAt !== null) return "suspended";
  return facts.expiresAt <= now ? "expired" : "active";
}

/** Neither terminated nor expired: occupies its address for its product (contract 3.3). */
export function isLive(facts: Pick<LicenseFacts, "terminatedAt" | "expiresAt">, now: Date): boolean {
  return facts.terminatedAt === null && facts.expiresAt > now;
}

/** Valid only while active and seen at its own address (contract 2.2); the status takes precedence. */
export function verificationOutcome({
  facts,
  boundIp,
  seenIp,
  now,
}: {
  readonly facts: LicenseFacts;
  readonly boundIp: string;
  readonly seenIp: string;
  readonly now: Date;
}): VerificationOutcome {
  const status = deriveLicenseStatus(facts, now);
  switch (status) {
    case "terminated":
      return outcomes.TERMINATED;
    case "pending":
      return outcomes.PENDING;
    case "suspended":
      return outcomes.SUSPENDED;
    case "expired":
      return outcomes.EXPIRED;
    case "active":
      return boundIp === seenIp ? outcomes.VALID : outcomes.IP_MISMATCH;
    default:
      return status satisfies never;
  }
}
