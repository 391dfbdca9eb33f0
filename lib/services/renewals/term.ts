import { DomainError } from "#lib/domain/errors.ts";
import type { EventDraft } from "#lib/domain/operation-plan.ts";
import { renewalFailureKey } from "#lib/domain/renewal.ts";
import { licenseEvent } from "#lib/services/operation/plan.ts";

/** @throws DomainError `state_invalid` if the term has been renewed meanwhile. */
export function requireSameTerm({ expiresAt }: { readonly expiresAt: Date }, termEndsAt: Date | undefined): void {
  if (termEndsAt === undefined || termEndsAt.getTime() === expiresAt.getTime()) return;
  throw new DomainError("state_invalid", "This term was renewed meanwhile.");
}

/** Once per term for the worker, which retries; each time for a requested renewal. */
export function renewalFailed(
  license: { readonly id: number; readonly key: string },
  termEndsAt: Date | undefined,
): EventDraft {
  const reason = "provider_failed";
  const onceKey = termEndsAt ? renewalFailureKey(license.id, termEndsAt, reason) : null;
  return licenseEvent("license.renewal_failed", license.key, { reason }, onceKey);
}
