import { DomainError, malformed } from "#lib/domain/errors.ts";
import { operationInProgress } from "#lib/domain/operation.ts";
import { isExtendable, type Term } from "#lib/domain/term.ts";

/**
 * Requires that no operation on these licenses or bundles is open. Takes precedence over their state.
 * @throws DomainError `operation_in_progress`
 */
export function requireIdle(...subjects: readonly { readonly openOperationId: string | null }[]): void {
  const busy = subjects.find(({ openOperationId }) => openOperationId !== null);
  if (busy?.openOperationId) throw operationInProgress(busy.openOperationId);
}

/** A license or bundle instance. */
interface Subject {
  readonly provisionedAt: Date | null;
  readonly terminatedAt: Date | null;
}

/** Required by all changes: registered at the provider and not terminated. @throws DomainError `state_invalid` */
export function requireProvisioned({ provisionedAt, terminatedAt }: Subject, noun: Noun = "license"): void {
  if (terminatedAt !== null) throw invalidState("terminated", noun);
  if (provisionedAt === null) throw invalidState("pending", noun);
}

/** Required by changes of cores and termination (docs/decisions/0003). */
export function requireRunning(license: Subject & { readonly expiresAt: Date }, now: Date): void {
  requireProvisioned(license);
  if (license.expiresAt <= now) throw invalidState("expired");
}

/** Required by renewals, of licenses and bundles (contract 3.16). */
export function requireExtendable(term: Term, now: Date): void {
  if (isExtendable(term, now)) return;
  throw malformed("cycle_id", "would extend a term that ends more than 25 years ahead");
}

const remedies = {
  terminated: "Register a new one.",
  pending: "The provider has not confirmed it yet. Try again later.",
  expired: "Renew it first.",
} as const;

type Noun = "license" | "bundle";

export function invalidState(status: keyof typeof remedies, noun: Noun = "license"): DomainError {
  return new DomainError("state_invalid", `This ${noun} is ${status}. ${remedies[status]}`, { details: { status } });
}
