import type { LicenseRow } from "#lib/db/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";

/** Renewal and suspension's lifting work on whatever the provider has confirmed and nobody has ended. */
export function requireProvisioned(license: LicenseRow): void {
  if (license.terminatedAt !== null) throw impossibleMove("terminated");
  if (license.provisionedAt === null) throw impossibleMove("pending");
}

/** Changes of address, cores and suspension need a license that still runs (docs/decisions/0003). */
export function requireRunning(license: LicenseRow, now: Date): void {
  requireProvisioned(license);
  if (license.expiresAt <= now) throw impossibleMove(deriveLicenseStatus(license, now));
}

export function impossibleMove(status: string): DomainError {
  return new DomainError("state_invalid", `This license is ${status}: it cannot be changed this way.`, {
    details: { status },
  });
}
