import { DomainError } from "#lib/domain/errors.ts";
import type { EventDraft } from "#lib/domain/operation-plan.ts";
import { renewalFailureKey } from "#lib/domain/renewal.ts";
import { licenseEvent } from "#lib/services/operation/plan.ts";

/** @throws DomainError `state_invalid` when a renewal meant for one term finds another. */
export function requireSameTerm({ expiresAt }: { readonly expiresAt: Date }, termEndsAt: Date | undefined): void {
  if (termEndsAt === undefined || termEndsAt.getTime() === expiresAt.getTime()) return;
  throw new DomainError("state_invalid", "This term was renewed meanwhile.");
}

/** Told once a term when the worker renews, which tries again; each time when somebody asked for the renewal. */
export function renewalFailed(
  license: { readonly id: number; readonly key: string },
  termEndsAt: Date | undefined,
): EventDraft {
  const reason = "provider_failed";
  const onceKey = termEndsAt ? renewalFailureKey(license.id, termEndsAt, reason) : null;
  return licenseEvent("license.renewal_failed", license.key, { reason }, onceKey);
}
