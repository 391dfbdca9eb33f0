import { findVerificationFacts } from "#lib/db/license/license.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { unknownLicenseOutcome, type VerificationOutcome, verificationOutcome } from "#lib/domain/license-status.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireLicenseReach, withinReach } from "#lib/services/license-reach.ts";

export interface VerifyInput {
  readonly licenseKey: LicenseKey;
  /** Address where the license is in use. */
  readonly ipAddress: string;
}

export interface VerificationResult {
  readonly outcome: VerificationOutcome;
  /** The product's type slug; null for an unknown license. */
  readonly type: string | null;
  readonly expiresAt: Date | null;
}

/** Checks whether a license is valid on an address now, and records the answer (contract 2.2). */
export async function verifyLicense(ctx: ServiceContext, input: VerifyInput): Promise<VerificationResult> {
  const reach = requireLicenseReach(ctx, "licenses:verify");
  const { resellerId } = reach;
  const facts = withinReach(reach, await findVerificationFacts(ctx.db, resellerId, input.licenseKey));
  const now = ctx.now();
  const outcome = facts
    ? verificationOutcome({ facts, boundIp: facts.ipAddress, seenIp: input.ipAddress, now })
    : unknownLicenseOutcome;
  ctx.db.writeBehind.verification({
    resellerId,
    licenseId: facts?.id ?? null,
    seenIp: input.ipAddress,
    code: outcome.code,
    checkedAt: now,
  });
  return { outcome, type: facts?.type ?? null, expiresAt: facts?.expiresAt ?? null };
}
