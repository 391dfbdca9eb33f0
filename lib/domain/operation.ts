import { DomainError, type DomainErrorCode } from "./errors.ts";
import type { EventKind } from "./events.ts";
import type { ProviderRequest } from "./provider-request.ts";

/**
 * An operation is fully planned before it starts: the provider requests, how to revert each, and the local effects of
 * success and rejection. The plan is stored with the hold, so the request and a reconciler after a crash settle the
 * operation alike.
 */
export interface OperationPlan {
  readonly provider: string;
  readonly steps: readonly PlanStep[];
  readonly onSuccess: Effects;
  readonly onRejection: Effects;
  /** Taken from lots: reserved by the hold, void if the operation is rejected. */
  readonly coreCredits?: readonly CoreCreditEffect[];
  /**
   * What the response needs beyond ids and money, e.g. the old address. The response derives only from the operation's
   * row and immutable data, so a replay is identical (contract 1.11).
   */
  readonly facts: Readonly<Record<string, string | number | null | readonly string[]>>;
}

export interface PlanStep {
  readonly request: ProviderRequest;
  /** Reverts the step when a later one is rejected; null for the last step. */
  readonly undo: ProviderRequest | null;
}

/** Plain JSON, read by the SQL function `settle_operation`. Absent fields are not changed. */
export interface Effects {
  readonly licenses: readonly LicenseEffect[];
  readonly bundleInstance?: InstanceEffect;
  readonly events: readonly EventDraft[];
  /** Charges for cores. */
  readonly coreLots?: readonly CoreLotEffect[];
  /** Deletes the rows that the hold inserted. */
  readonly discard?: true;
}

export interface LicenseEffect extends TermEffect {
  /** The license's key, which exists before the row's id. */
  readonly key: string;
  readonly cores?: number;
  /** Increase in the renewal price of the license or its bundle; minor units, in digits. */
  readonly renewalPriceChange?: string;
  readonly hostname?: string;
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
  /** Agreed price of the next renewal; minor units, in digits. Clears an announcement. */
  readonly renewalPrice?: string;
}

/** Without `paidTermId`, `startsAt` and `endsAt`: the whole term that the operation adds. */
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
  /** An event with the same key is emitted once. */
  readonly onceKey?: string;
}

export const operationKinds = [
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

/** Operations on one license; all others are on a bundle with its members. */
export function isLicenseOperation(kind: OperationKind): boolean {
  return kind.startsWith("license_");
}

/** `license_change_ip` → `license.change_ip`, the name on the dispatch interface and in events. */
export function operationName(kind: OperationKind): string {
  return kind.replace("_", ".");
}

/** Error code for the provider's rejection, by kind. */
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

/** Operations on one license or bundle run one at a time (contract 1.15). */
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

/** True while the outcome is open and the money is held. */
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
