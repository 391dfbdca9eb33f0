import { DomainError } from "#lib/domain/errors.ts";
import type { EventDraft, OperationPlan } from "#lib/domain/operation-plan.ts";
import { type Renewable, renewalFailureKey, termKey } from "#lib/domain/renewal.ts";
import type { Term } from "#lib/domain/term.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { licenseEvent } from "#lib/services/operation/plan.ts";

/** @throws DomainError `state_invalid` if the term has been renewed meanwhile. */
export function requireSameTerm({ expiresAt }: { readonly expiresAt: Date }, termEndsAt: Date | undefined): void {
  if (termEndsAt === undefined || termEndsAt.getTime() === expiresAt.getTime()) return;
  throw new DomainError("state_invalid", "This term was renewed meanwhile.");
}

/** @throws DomainError `state_invalid` if auto-renew was turned off after the renewal was found to be due. */
export function requireAutoRenew({ autoRenew }: { readonly autoRenew: boolean }): void {
  if (!autoRenew) throw new DomainError("state_invalid", "Auto-renew was turned off meanwhile.");
}

/** Renewing an expired term buys time from `after.anchoredAt`. */
export function renewalFacts(
  unit: Renewable,
  { before, after }: { readonly before: Term; readonly after: Term },
  termEndsAt: Date | undefined,
): OperationPlan<"license_renew" | "bundle_renew">["facts"] {
  const startsAt = after.anchoredAt > before.expiresAt ? after.anchoredAt : before.expiresAt;
  return {
    startsAt: startsAt.toISOString(),
    newExpiry: after.expiresAt.toISOString(),
    ...(termEndsAt ? { renewsTerm: termKey(unit, termEndsAt) } : {}),
  };
}

/** Once per term for auto-renew, which retries; each time for a requested renewal, which nothing retries. */
export function renewalFailed(
  { actor }: ServiceContext,
  license: { readonly id: number; readonly key: string },
  termEndsAt: Date | undefined,
): EventDraft {
  const reason = "provider_failed";
  if (actor.kind !== "delegate" || !termEndsAt) {
    return licenseEvent("license.renewal_failed", license.key, { reason, requested: true });
  }
  return licenseEvent(
    "license.renewal_failed",
    license.key,
    { reason },
    renewalFailureKey(license.id, termEndsAt, reason),
  );
}
