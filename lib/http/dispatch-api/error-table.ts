import type { DomainError, DomainErrorCode, ParameterProblem, RefusedCharge } from "#lib/domain/errors.ts";
import { toMajorNumber } from "#lib/domain/money.ts";

interface Reply {
  readonly status: number;
  readonly code: string;
  /** In the details: tells an address that has a live license from other refusals with the code (contract 3.3). */
  readonly reason?: "address_taken";
}

/** Replies of the dispatch interface by error code (dispatch-interface.md#errors, contract 3.2–3.6, 3.13). */
const table = {
  api_key_missing: { status: 401, code: "MISSING_API_KEY" },
  api_key_invalid: { status: 401, code: "INVALID_API_KEY" },
  // The same reply that its keys get once they are revoked (docs/suspension.md).
  reseller_suspended: { status: 401, code: "INVALID_API_KEY" },
  permission_denied: { status: 403, code: "NO_PERMISSION" },
  rate_limited: { status: 429, code: "RATE_LIMITED" },
  operation_unknown: { status: 404, code: "UNKNOWN_ENDPOINT" },
  method_not_allowed: { status: 405, code: "METHOD_NOT_ALLOWED" },
  http_unreadable: { status: 400, code: "INVALID_PARAMETER" },
  headers_too_large: { status: 431, code: "INVALID_PARAMETER" },
  expectation_failed: { status: 417, code: "INVALID_PARAMETER" },
  request_timeout: { status: 408, code: "INVALID_PARAMETER" },
  body_too_large: { status: 413, code: "PAYLOAD_TOO_LARGE" },
  media_type_unsupported: { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" },
  body_unreadable: { status: 400, code: "INVALID_PARAMETER" },
  parameters_invalid: { status: 400, code: "INVALID_PARAMETER" },
  idempotency_key_reused: { status: 422, code: "IDEMPOTENCY_KEY_REUSED" },
  idempotency_in_progress: { status: 409, code: "IDEMPOTENCY_IN_PROGRESS" },
  product_not_found: { status: 404, code: "PRODUCT_NOT_FOUND" },
  cycle_not_found: { status: 404, code: "CYCLE_NOT_FOUND" },
  bundle_not_found: { status: 404, code: "BUNDLE_NOT_FOUND" },
  bundle_instance_not_found: { status: 404, code: "BUNDLE_NOT_FOUND" },
  license_not_found: { status: 404, code: "LICENSE_NOT_FOUND" },
  license_ambiguous: { status: 400, code: "INVALID_PARAMETER" },
  operation_not_found: { status: 404, code: "OPERATION_NOT_FOUND" },
  diagnostics_report_not_found: { status: 404, code: "UNKNOWN_ENDPOINT" },
  not_found: { status: 404, code: "UNKNOWN_ENDPOINT" },
  state_invalid: { status: 409, code: "INVALID_STATE" },
  operation_in_progress: { status: 409, code: "OPERATION_IN_PROGRESS" },
  registration_address_taken: { status: 400, code: "REGISTRATION_FAILED", reason: "address_taken" },
  ip_change_address_taken: { status: 400, code: "IP_CHANGE_FAILED", reason: "address_taken" },
  ip_change_bundle_member: { status: 400, code: "IP_CHANGE_FAILED" },
  not_core_metered: { status: 400, code: "NOT_CORE_METERED" },
  spending_limit_reached: { status: 403, code: "NO_PERMISSION" },
  insufficient_balance: { status: 400, code: "INSUFFICIENT_BALANCE" },
  price_changed: { status: 409, code: "PRICE_CHANGED" },
  changed_meanwhile: { status: 409, code: "INVALID_STATE" },
  conflict: { status: 409, code: "INVALID_STATE" },
  registration_rejected: { status: 400, code: "REGISTRATION_FAILED" },
  ip_change_rejected: { status: 400, code: "IP_CHANGE_FAILED" },
  core_change_rejected: { status: 400, code: "CORE_CHANGE_FAILED" },
  provider_rejected: { status: 400, code: "PROVIDER_REJECTED" },
  provider_unavailable: { status: 503, code: "PROVIDER_UNAVAILABLE" },
  unavailable: { status: 503, code: "UNAVAILABLE" },
  internal: { status: 500, code: "SERVER_ERROR" },
} as const satisfies Record<DomainErrorCode, Reply>;

/** Codes of missing parameters (contract 3.2). */
const missing = {
  product_id: "MISSING_PRODUCT_ID",
  cycle_id: "MISSING_CYCLE_ID",
  ip_address: "MISSING_IP_ADDRESS",
  license_id: "MISSING_LICENSE_ID",
  new_ip: "MISSING_NEW_IP",
  cores: "MISSING_CORES",
  bundle_id: "MISSING_BUNDLE_ID",
  bundle_instance_id: "MISSING_BUNDLE_INSTANCE_ID",
  operation_id: "MISSING_OPERATION_ID",
  auto_renew: "MISSING_AUTO_RENEW",
} as const;

/** Specific codes of malformed parameters (contract 3.2). */
const malformed = {
  ip_address: "INVALID_IP_ADDRESS",
  new_ip: "INVALID_IP_ADDRESS",
} as const;

/** Specific codes of numbers beyond their range (contract 3.2). */
const outOfRange = { cores: "CORE_CHANGE_FAILED" } as const;

/** All codes of this interface; a test provokes each. */
export type DispatchErrorCode =
  | (typeof table)[DomainErrorCode]["code"]
  | (typeof missing)[keyof typeof missing]
  | (typeof malformed)[keyof typeof malformed];

function errorCode(codes: Readonly<Record<string, DispatchErrorCode>>, field: string): DispatchErrorCode {
  return (Object.hasOwn(codes, field) && codes[field]) || "INVALID_PARAMETER";
}

/** The first problem in documented order decides the code (contract 3.2). */
function parameterCode(problem: ParameterProblem | undefined): DispatchErrorCode {
  if (!problem) return "INVALID_PARAMETER";
  const { field, kind } = problem;
  switch (kind) {
    case "missing":
      return errorCode(missing, field);
    case "out_of_range":
      return errorCode(outOfRange, field);
    case "unreadable":
      return "INVALID_PARAMETER";
    case "malformed":
    case "wrong_type":
      return errorCode(malformed, field);
    default:
      return kind satisfies never;
  }
}

interface DispatchError {
  readonly success: false;
  readonly error: true;
  readonly code: DispatchErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function presentDispatchError(error: DomainError): { status: number; body: DispatchError } {
  const { status, code } = table[error.code];
  const { reason }: Reply = table[error.code];
  const shown = error.code === "parameters_invalid" ? parameterCode(error.problems[0]) : code;
  const details = { ...error.details, ...(reason && { reason }), ...(error.amounts && amountFields(error.amounts)) };
  return { status, body: { success: false, error: true, code: shown, message: error.message, details } };
}

/** Major units, with their currency (contract 1.9). */
function amountFields({ price, missing, currency }: RefusedCharge) {
  return {
    price: toMajorNumber(price, currency),
    ...(missing === undefined ? {} : { missing: toMajorNumber(missing, currency) }),
    currency,
  };
}
