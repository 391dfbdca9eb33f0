import type { LicenseRow } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { operationInProgress } from "#lib/domain/operation.ts";

/**
 * For a license, a bundle or its members: what is under way decides what can be done, so it comes before the state.
 * @throws DomainError `operation_in_progress`
 */
export function requireIdle(...subjects: readonly { readonly openOperationId: string | null }[]): void {
  const busy = subjects.find(({ openOperationId }) => openOperationId !== null);
  if (busy?.openOperationId) throw operationInProgress(busy.openOperationId);
}

/** Everything but a change of cores works on whatever the provider has confirmed and nobody has ended. */
export function requireProvisioned(license: LicenseRow): void {
  if (license.terminatedAt !== null) throw impossibleMove("terminated");
  if (license.provisionedAt === null) throw impossibleMove("pending");
}

/** Changes of cores and termination need a license that still runs (docs/decisions/0003). */
export function requireRunning(license: LicenseRow, now: Date): void {
  requireProvisioned(license);
  if (license.expiresAt <= now) throw impossibleMove("expired");
}

const remedies = {
  terminated: "It ended for good: register a new one.",
  pending: "The provider has not confirmed it yet: try again later.",
  expired: "Renew it first.",
} as const;

export function impossibleMove(status: keyof typeof remedies): DomainError {
  return new DomainError("state_invalid", `This license is ${status}. ${remedies[status]}`, { details: { status } });
}
