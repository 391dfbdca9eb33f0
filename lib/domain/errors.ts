/**
 * What can go wrong for a caller, in the language of licenses and wallets.
 *
 * The code is the stable name of a failure; each interface maps every code to its own reply in one total table
 * (`lib/http/*-api/error-table.ts`), so a code without a reply does not compile. `message` is written for the
 * caller and never carries internals; the cause, if any, is for the log alone.
 */
const domainErrorCodes = [
  // who is calling
  "api_key_missing",
  "api_key_invalid",
  "permission_denied",
  "rate_limited",
  // what is called
  "operation_unknown",
  "method_not_allowed",
  // how it is called
  "body_too_large",
  "media_type_unsupported",
  "body_unreadable",
  "parameters_invalid",
  "idempotency_key_reused",
  "idempotency_in_progress",
  // what it is about
  "product_not_found",
  "cycle_not_found",
  "bundle_not_found",
  "bundle_instance_not_found",
  "license_not_found",
  "license_ambiguous",
  "diagnostics_report_not_found",
  "not_found",
  // rules
  "state_invalid",
  "registration_address_taken",
  "ip_change_address_taken",
  "ip_change_bundle_member",
  "not_core_metered",
  "insufficient_balance",
  "changed_meanwhile",
  "conflict",
  // the provider
  "registration_rejected",
  "ip_change_rejected",
  "core_change_rejected",
  "provider_rejected",
  "provider_unavailable",
  // us
  "unavailable",
  "internal",
] as const;

export type DomainErrorCode = (typeof domainErrorCodes)[number];

/** One parameter that is wrong. `missing` and `malformed` get different codes on the dispatch interface (decisions 3.2). */
export interface ParameterProblem {
  readonly field: string;
  readonly kind: "missing" | "unreadable" | "wrong_type" | "malformed" | "out_of_range";
  /** What is said of the field, to be read after its name: "must be a host name". */
  readonly message: string;
}

export interface DomainErrorOptions {
  /** Field name → what is wrong with it; shown to the caller. */
  readonly details?: Readonly<Record<string, string>>;
  /** In the documented order of the parameters (decisions 3.2). */
  readonly problems?: readonly ParameterProblem[];
  /** For `Retry-After`, whole seconds. */
  readonly retryAfterSeconds?: number;
  /** For `Allow`, with `method_not_allowed`. */
  readonly allow?: readonly string[];
  /** For the log; never shown. */
  readonly cause?: unknown;
}

const brand = Symbol.for("license-desk.domain-error");

export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly details: Readonly<Record<string, string>>;
  readonly problems: readonly ParameterProblem[];
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;
  readonly [brand] = true;

  constructor(code: DomainErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.problems = options.problems ?? [];
    this.details = options.details ?? Object.fromEntries(this.problems.map(({ field, message }) => [field, message]));
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }
}

/** True for a DomainError of any copy of this module: Next bundles its own beside the one that the server imports. */
export function isDomainError(error: unknown): error is DomainError {
  return typeof error === "object" && error !== null && brand in error;
}

/** Every wrong parameter at once, in the documented order. */
export function invalidParameters(problems: readonly ParameterProblem[]): DomainError {
  const [first] = problems;
  const message = first
    ? `${first.field || "A parameter without a name"} ${first.message}.`
    : "The request is invalid.";
  return new DomainError("parameters_invalid", message, { problems });
}
