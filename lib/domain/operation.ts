import { DomainError, type DomainErrorCode } from "./errors.ts";

/** The kinds, with the error code for the provider's rejection. */
export const rejectionCodes = {
  license_register: "registration_rejected",
  license_renew: "provider_rejected",
  license_change_ip: "ip_change_rejected",
  license_change_core: "core_change_rejected",
  license_suspend: "provider_rejected",
  license_unsuspend: "provider_rejected",
  license_terminate: "provider_rejected",
  license_correct: "provider_rejected",
  bundle_register: "registration_rejected",
  bundle_renew: "provider_rejected",
  bundle_change_ip: "ip_change_rejected",
} as const satisfies Record<string, DomainErrorCode>;
export type OperationKind = keyof typeof rejectionCodes;
export const operationKinds = Object.keys(rejectionCodes) as readonly OperationKind[];

/** Operations on one license; all others are on a bundle with its members. */
export function isLicenseOperation(kind: OperationKind): boolean {
  return kind.startsWith("license_");
}

/** `license_change_ip` → `license.change_ip`, the name on the dispatch interface and in events. */
export function operationName(kind: OperationKind): string {
  return kind.replace("_", ".");
}

/** Instead of the rejection's, if the provider rejects it because a live license has the address. */
export const addressTakenCodes: Partial<Record<OperationKind, DomainErrorCode>> = {
  license_register: "registration_address_taken",
  bundle_register: "registration_address_taken",
  license_change_ip: "ip_change_address_taken",
  bundle_change_ip: "ip_change_address_taken",
};

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
export function isOpen(state: OperationState): state is Exclude<OperationState, "succeeded" | "rejected"> {
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
