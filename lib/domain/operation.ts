import { DomainError, type DomainErrorCode } from "./errors.ts";
import type { EventKind } from "./events.ts";
import type { ProviderRequest } from "./provider-request.ts";

/**
 * An operation is planned whole before anything happens: which requests go to the provider, how each is taken back,
 * and what changes here on success and on refusal. The plan is stored with the hold, so whoever ends the operation
 * (the request itself, or a reconciler after a crash) does the same thing.
 */
export interface OperationPlan {
  readonly provider: string;
  readonly steps: readonly PlanStep[];
  readonly onSuccess: Effects;
  readonly onRejection: Effects;
  /** What is taken from lots: reserved by the hold, void if the operation is rejected. */
  readonly coreCredits?: readonly CoreCreditEffect[];
  /**
   * What the answer needs beside the ids and the money, e.g. the old address. The answer to an operation follows from
   * its row and from what never changes: given again later, it is the same (contract 1.11).
   */
  readonly facts: Readonly<Record<string, string | number | null | readonly string[]>>;
}

export interface PlanStep {
  readonly request: ProviderRequest;
  /** Takes the step back at the provider when a later one is refused; null where there is no later one. */
  readonly undo: ProviderRequest | null;
}

/** Plain JSON, read by the database function `settle_operation`. Absent fields stay as they are. */
export interface Effects {
  readonly licenses: readonly LicenseEffect[];
  readonly bundleInstance?: InstanceEffect;
  readonly events: readonly EventDraft[];
  /** What the operation charges for cores. */
  readonly coreLots?: readonly CoreLotEffect[];
  /** Remove the rows that the hold inserted. */
  readonly discard?: true;
}

export interface LicenseEffect extends TermEffect {
  /** The license's key: known before the row has an id. */
  readonly key: string;
  readonly cores?: number;
  /** By how much the renewal of the license, or of its bundle, costs more; minor units, in digits. */
  readonly renewalPriceChange?: string;
  readonly hostname?: string;
  /** Ended for good. */
  readonly terminated?: true;
  /** `by` null lifts the suspension. */
  readonly suspension?: { readonly by: "reseller" | "admin" | null; readonly reason?: string };
}

export interface InstanceEffect extends TermEffect {}

interface TermEffect {
  /** The provider has confirmed the registration. */
  readonly provisioned?: true;
  readonly cycleId?: number;
  /** ISO 8601 UTC. */
  readonly anchoredAt?: string;
  /** ISO 8601 UTC. */
  readonly expiresAt?: string;
  readonly ipAddress?: string;
  /** What the next renewal is agreed to cost from now on; minor units, in digits. Ends an announcement. */
  readonly renewalPrice?: string;
}

/** Without `paidTermId`, `startsAt` and `endsAt` for the whole of the term that the operation adds. */
export interface CoreLotEffect {
  /** The license's key. */
  readonly key: string;
  readonly paidTermId?: number;
  readonly cores: number;
  /** ISO 8601 UTC. */
  readonly startsAt?: string;
  /** ISO 8601 UTC. */
  readonly endsAt?: string;
  /** Minor units, in digits. */
  readonly amount: string;
}

export interface CoreCreditEffect {
  readonly lotId: number;
  readonly cores: number;
  /** ISO 8601 UTC. */
  readonly creditedFrom: string;
  /** Minor units, in digits. */
  readonly amount: string;
}

export interface EventDraft {
  readonly id: string;
  readonly kind: EventKind;
  /** License events get `license_id`, `type` and `server` from this license (contract 4.1). */
  readonly licenseKey?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** What has been told under this key is not told again. */
  readonly onceKey?: string;
}

const operationKinds = [
  "license_register",
  "license_renew",
  "license_change_ip",
  "license_change_core",
  "license_suspend",
  "license_unsuspend",
  "license_terminate",
  "license_correct",
  "bundle_register",
  "bundle_renew",
  "bundle_change_ip",
] as const;
export type OperationKind = (typeof operationKinds)[number];

/** Of one license: the others are about a bundle with its members. */
export function isLicenseOperation(kind: OperationKind): boolean {
  return kind.startsWith("license_");
}

/** `license_change_ip` → `license.change_ip`, as the dispatch interface and events call it. */
export function operationName(kind: OperationKind): string {
  return kind.replace("_", ".");
}

/** How the provider's refusal of each kind is named to the caller. */
export const rejectionCodes = {
  license_register: "registration_rejected",
  bundle_register: "registration_rejected",
  license_change_ip: "ip_change_rejected",
  bundle_change_ip: "ip_change_rejected",
  license_change_core: "core_change_rejected",
  license_renew: "provider_rejected",
  bundle_renew: "provider_rejected",
  license_suspend: "provider_rejected",
  license_unsuspend: "provider_rejected",
  license_terminate: "provider_rejected",
  license_correct: "provider_rejected",
} as const satisfies Record<OperationKind, DomainErrorCode>;

const RETRY_AFTER_SECONDS = 2;

/** What one operation changes, no other may change before it has ended (contract 1.15). */
export function operationInProgress(operationId?: string): DomainError {
  return new DomainError(
    "operation_in_progress",
    "Another operation on this license or bundle is under way. Try again when it has ended.",
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      ...(operationId === undefined ? {} : { details: { operation_id: operationId } }),
    },
  );
}

export type OperationState = "held" | "sent" | "succeeded" | "rejected" | "unknown";

/** True while the outcome is open: the money is held. */
export function isOpen(state: OperationState): boolean {
  switch (state) {
    case "held":
    case "sent":
    case "unknown":
      return true;
    case "succeeded":
    case "rejected":
      return false;
    default:
      return state satisfies never;
  }
}
