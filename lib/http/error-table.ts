import type { DomainError, DomainErrorCode, ParameterProblem, RefusedCharge } from "#lib/domain/errors.ts";
import { toMajorNumber, toMajorText } from "#lib/domain/money.ts";

interface Reply {
  readonly status: number;
  readonly dispatch: string;
  readonly path: string;
  /** If it differs on the path interface. */
  readonly pathStatus?: number;
}

/**
 * Status and codes of both interfaces by error code (dispatch-interface.md#errors, path-interface.md#errors, contract
 * 1.15, 2.1–2.7, 3.2–3.6, 3.13).
 */
const table = {
  api_key_missing: { status: 401, dispatch: "MISSING_API_KEY", path: "UNAUTHORIZED" },
  api_key_invalid: { status: 401, dispatch: "INVALID_API_KEY", path: "UNAUTHORIZED" },
  // The same reply that its keys get once they are revoked (docs/suspension.md).
  reseller_suspended: { status: 401, dispatch: "INVALID_API_KEY", path: "UNAUTHORIZED" },
  permission_denied: { status: 403, dispatch: "NO_PERMISSION", path: "FORBIDDEN" },
  rate_limited: { status: 429, dispatch: "RATE_LIMITED", path: "RATE_LIMITED" },
  operation_unknown: { status: 404, dispatch: "UNKNOWN_ENDPOINT", path: "NOT_FOUND" },
  method_not_allowed: { status: 405, dispatch: "METHOD_NOT_ALLOWED", path: "METHOD_NOT_ALLOWED" },
  http_unreadable: { status: 400, dispatch: "INVALID_PARAMETER", path: "INVALID_REQUEST" },
  headers_too_large: { status: 431, dispatch: "INVALID_PARAMETER", path: "INVALID_REQUEST" },
  expectation_failed: { status: 417, dispatch: "INVALID_PARAMETER", path: "INVALID_REQUEST" },
  request_timeout: { status: 408, dispatch: "INVALID_PARAMETER", path: "INVALID_REQUEST" },
  body_too_large: { status: 413, dispatch: "PAYLOAD_TOO_LARGE", path: "PAYLOAD_TOO_LARGE" },
  media_type_unsupported: { status: 415, dispatch: "UNSUPPORTED_MEDIA_TYPE", path: "UNSUPPORTED_MEDIA_TYPE" },
  body_unreadable: { status: 400, dispatch: "INVALID_PARAMETER", path: "INVALID_REQUEST" },
  parameters_invalid: { status: 400, dispatch: "INVALID_PARAMETER", path: "INVALID_REQUEST" },
  idempotency_key_reused: { status: 422, dispatch: "IDEMPOTENCY_KEY_REUSED", path: "IDEMPOTENCY_KEY_REUSED" },
  idempotency_in_progress: { status: 409, dispatch: "IDEMPOTENCY_IN_PROGRESS", path: "IDEMPOTENCY_IN_PROGRESS" },
  product_not_found: { status: 404, dispatch: "PRODUCT_NOT_FOUND", path: "NOT_FOUND" },
  cycle_not_found: { status: 404, dispatch: "CYCLE_NOT_FOUND", path: "NOT_FOUND" },
  bundle_not_found: { status: 404, dispatch: "BUNDLE_NOT_FOUND", path: "NOT_FOUND" },
  bundle_instance_not_found: { status: 404, dispatch: "BUNDLE_NOT_FOUND", path: "NOT_FOUND" },
  license_not_found: { status: 404, dispatch: "LICENSE_NOT_FOUND", path: "NOT_FOUND" },
  license_ambiguous: { status: 400, dispatch: "INVALID_PARAMETER", path: "INVALID_REQUEST" },
  operation_not_found: { status: 404, dispatch: "OPERATION_NOT_FOUND", path: "NOT_FOUND" },
  diagnostics_report_not_found: { status: 404, dispatch: "UNKNOWN_ENDPOINT", path: "NOT_FOUND" },
  not_found: { status: 404, dispatch: "UNKNOWN_ENDPOINT", path: "NOT_FOUND" },
  state_invalid: { status: 409, dispatch: "INVALID_STATE", path: "INVALID_LICENSE", pathStatus: 400 },
  operation_in_progress: { status: 409, dispatch: "OPERATION_IN_PROGRESS", path: "OPERATION_IN_PROGRESS" },
  registration_address_taken: { status: 400, dispatch: "REGISTRATION_FAILED", path: "INVALID_REQUEST" },
  ip_change_address_taken: { status: 400, dispatch: "IP_CHANGE_FAILED", path: "INVALID_REQUEST" },
  ip_change_bundle_member: { status: 400, dispatch: "IP_CHANGE_FAILED", path: "INVALID_REQUEST" },
  not_core_metered: { status: 400, dispatch: "NOT_CORE_METERED", path: "INVALID_REQUEST" },
  spending_limit_reached: { status: 403, dispatch: "NO_PERMISSION", path: "FORBIDDEN" },
  insufficient_balance: { status: 400, dispatch: "INSUFFICIENT_BALANCE", path: "INVALID_REQUEST" },
  price_changed: { status: 409, dispatch: "PRICE_CHANGED", path: "INVALID_REQUEST" },
  changed_meanwhile: { status: 409, dispatch: "INVALID_STATE", path: "INVALID_REQUEST" },
  conflict: { status: 409, dispatch: "INVALID_STATE", path: "INVALID_REQUEST" },
  registration_rejected: { status: 400, dispatch: "REGISTRATION_FAILED", path: "INVALID_REQUEST" },
  ip_change_rejected: { status: 400, dispatch: "IP_CHANGE_FAILED", path: "INVALID_REQUEST" },
  core_change_rejected: { status: 400, dispatch: "CORE_CHANGE_FAILED", path: "INVALID_REQUEST" },
  provider_rejected: { status: 400, dispatch: "PROVIDER_REJECTED", path: "INVALID_REQUEST" },
  provider_unavailable: { status: 503, dispatch: "PROVIDER_UNAVAILABLE", path: "UNAVAILABLE" },
  provider_busy: { status: 503, dispatch: "PROVIDER_UNAVAILABLE", path: "UNAVAILABLE" },
  unavailable: { status: 503, dispatch: "UNAVAILABLE", path: "UNAVAILABLE" },
  internal: { status: 500, dispatch: "SERVER_ERROR", path: "SERVER_ERROR" },
} as const satisfies Record<DomainErrorCode, Reply>;

/** `details.reason` tells an address that has a live license from other refusals with the code (contract 3.3). */
const addressTaken: ReadonlySet<DomainErrorCode> = new Set(["registration_address_taken", "ip_change_address_taken"]);

/** All codes of the path interface; a test provokes each. */
export type PathErrorCode = (typeof table)[DomainErrorCode]["path"];

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

/** All codes of the dispatch interface; a test provokes each. */
export type DispatchErrorCode =
  | (typeof table)[DomainErrorCode]["dispatch"]
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
  const { status, dispatch } = table[error.code];
  const code = error.code === "parameters_invalid" ? parameterCode(error.problems[0]) : dispatch;
  const reason = addressTaken.has(error.code) ? { reason: "address_taken" } : {};
  const details = { ...error.details, ...reason, ...amountFields(error, toMajorNumber) };
  return { status, body: { success: false, error: true, code, message: error.message, details } };
}

/** A malformed key is a license error, not a request error (contract 2.2). */
function isMalformedLicenseKey({ code, problems }: DomainError): boolean {
  return (
    code === "parameters_invalid" && problems.some(({ field, kind }) => field === "license_key" && kind === "malformed")
  );
}

/** Details are text on the path interface (path-interface.md#errors). */
export function presentPathError(error: DomainError): { status: number; body: unknown } {
  const reply: Reply = table[isMalformedLicenseKey(error) ? "state_invalid" : error.code];
  // On this interface the field is always `ip_address`.
  const { new_ip: ip_address, ...rest } = error.details;
  const details = { ...rest, ...(ip_address && { ip_address }), ...amountFields(error, toMajorText) };
  return {
    status: reply.pathStatus ?? reply.status,
    body: { error: true, code: reply.path, message: error.message, details },
  };
}

/** Major units, with their currency (contract 1.9). */
function amountFields<Amount>(
  { amounts }: DomainError,
  toMajor: (minor: bigint, currency: RefusedCharge["currency"]) => Amount,
) {
  if (!amounts) return {};
  const { price, missing, currency } = amounts;
  return {
    price: toMajor(price, currency),
    ...(missing === undefined ? {} : { missing: toMajor(missing, currency) }),
    currency,
  };
}
