import {
  findConstraint,
  findSqlState,
  readInsufficientBalance,
  readOverspending,
  sqlState,
  unavailable,
} from "#lib/db/connection/errors.ts";
import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import { type OperationKind, operationInProgress } from "#lib/domain/operation.ts";

/** What a hold's database error means to its caller; the error itself if it is no refusal. */
export function nameHoldFailure(error: unknown, kind: OperationKind): unknown {
  switch (findSqlState(error)) {
    case sqlState.insufficientBalance:
      return readInsufficientBalance(error);
    case sqlState.overspending:
      return readOverspending(error);
    case sqlState.busy:
      return operationInProgress();
    case sqlState.keyClaimed:
      return new DomainError("idempotency_in_progress", "Another request with this Idempotency-Key is running.", {
        retryAfterSeconds: 1,
      });
    case sqlState.resellerSuspended:
      return new DomainError("reseller_suspended", "This account is suspended. Ask an admin to lift the suspension.");
    case sqlState.lockNotAvailable:
      return unavailable(error);
    case sqlState.uniqueViolation:
      return nameUniqueViolation(error);
    case sqlState.exclusionViolation:
      return addressTaken(kind, error);
    default:
      return error;
  }
}

function nameUniqueViolation(error: unknown): unknown {
  switch (findConstraint(error)) {
    case "operations_one_automatic_renewal_per_term":
      return new DomainError("state_invalid", "This term has already been renewed.");
    case "licenses_external_id":
      return new DomainError("operation_in_progress", "Another request registers a license with this external_id.", {
        retryAfterSeconds: 1,
        cause: error,
      });
    default:
      return error;
  }
}

/** Whether a hold was rejected because another license has the address. */
export function isAddressTaken(error: unknown): error is DomainError {
  return isDomainError(error) && findSqlState(error.cause) === sqlState.exclusionViolation;
}

function addressTaken(kind: OperationKind, cause: unknown): DomainError {
  const message = "The address already has a live license of this product.";
  switch (kind) {
    case "license_register":
    case "bundle_register":
      return new DomainError("registration_address_taken", message, { details: { ip_address: message }, cause });
    case "license_change_ip":
    case "bundle_change_ip":
      return new DomainError("ip_change_address_taken", message, { details: { new_ip: message }, cause });
    default:
      return new DomainError(
        "state_invalid",
        `${message} It was registered after this license had expired. Change the address first.`,
        { details: { reason: "address_taken" }, cause },
      );
  }
}
