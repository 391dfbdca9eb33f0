import type { DomainError, DomainErrorCode, RefusedCharge } from "#lib/domain/errors.ts";
import { toMajorText } from "#lib/domain/money.ts";

interface Reply {
  readonly status: number;
  readonly code: string;
  /** Field names that differ between the contract and the domain. */
  readonly rename?: Readonly<Record<string, string>>;
}

const invalidRequest = { status: 400, code: "INVALID_REQUEST" } as const;
const invalidLicense = { status: 400, code: "INVALID_LICENSE" } as const;
const notFound = { status: 404, code: "NOT_FOUND" } as const;
const addressRefused = { ...invalidRequest, rename: { new_ip: "ip_address" } } as const;

/** Replies of the path interface by error code (path-interface.md#errors, contract 1.15, 2.1–2.7). */
const table = {
  api_key_missing: { status: 401, code: "UNAUTHORIZED" },
  api_key_invalid: { status: 401, code: "UNAUTHORIZED" },
  // The same reply that its keys get once they are revoked (docs/suspension.md).
  reseller_suspended: { status: 401, code: "UNAUTHORIZED" },
  permission_denied: { status: 403, code: "FORBIDDEN" },
  rate_limited: { status: 429, code: "RATE_LIMITED" },
  operation_unknown: notFound,
  method_not_allowed: { status: 405, code: "METHOD_NOT_ALLOWED" },
  http_unreadable: invalidRequest,
  headers_too_large: { ...invalidRequest, status: 431 },
  expectation_failed: { ...invalidRequest, status: 417 },
  request_timeout: { ...invalidRequest, status: 408 },
  body_too_large: { status: 413, code: "PAYLOAD_TOO_LARGE" },
  media_type_unsupported: { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" },
  body_unreadable: invalidRequest,
  parameters_invalid: invalidRequest,
  idempotency_key_reused: { status: 422, code: "IDEMPOTENCY_KEY_REUSED" },
  idempotency_in_progress: { status: 409, code: "IDEMPOTENCY_IN_PROGRESS" },
  product_not_found: notFound,
  cycle_not_found: notFound,
  bundle_not_found: notFound,
  bundle_instance_not_found: notFound,
  license_not_found: notFound,
  license_ambiguous: invalidRequest,
  operation_not_found: notFound,
  diagnostics_report_not_found: notFound,
  not_found: notFound,
  state_invalid: invalidLicense,
  operation_in_progress: { status: 409, code: "OPERATION_IN_PROGRESS" },
  registration_address_taken: invalidRequest,
  ip_change_address_taken: addressRefused,
  ip_change_bundle_member: addressRefused,
  not_core_metered: invalidRequest,
  spending_limit_reached: { status: 403, code: "FORBIDDEN" },
  insufficient_balance: invalidRequest,
  price_changed: { status: 409, code: "INVALID_REQUEST" },
  changed_meanwhile: { status: 409, code: "INVALID_REQUEST" },
  conflict: { status: 409, code: "INVALID_REQUEST" },
  registration_rejected: invalidRequest,
  ip_change_rejected: addressRefused,
  core_change_rejected: invalidRequest,
  provider_rejected: invalidRequest,
  provider_unavailable: { status: 503, code: "UNAVAILABLE" },
  unavailable: { status: 503, code: "UNAVAILABLE" },
  internal: { status: 500, code: "SERVER_ERROR" },
} as const satisfies Record<DomainErrorCode, Reply>;

/** All codes of this interface; a test provokes each. */
export type PathErrorCode = (typeof table)[DomainErrorCode]["code"];

/** A malformed key is a license error, not a request error (contract 2.2). */
function isMalformedLicenseKey({ code, problems }: DomainError): boolean {
  return (
    code === "parameters_invalid" && problems.some(({ field, kind }) => field === "license_key" && kind === "malformed")
  );
}

export function presentPathError(error: DomainError): { status: number; body: unknown } {
  const reply: Reply = isMalformedLicenseKey(error) ? invalidLicense : table[error.code];
  const fields = { ...error.details, ...(error.amounts && amountFields(error.amounts)) };
  const details = Object.entries(fields).map(([field, message]) => [reply.rename?.[field] ?? field, message]);
  return {
    status: reply.status,
    body: { error: true, code: reply.code, message: error.message, details: Object.fromEntries(details) },
  };
}

/** Details are text on this interface (path-interface.md#errors): decimals in major units. */
function amountFields({ price, missing, currency }: RefusedCharge) {
  return {
    price: toMajorText(price, currency),
    ...(missing === undefined ? {} : { missing: toMajorText(missing, currency) }),
    currency,
  };
}
