import type { Currency } from "./money.ts";
import { problemSentence } from "./text.ts";

/** `transient`: a retry can succeed, so the error is not stored under its idempotency key (contract 1.11). */
type Finality = "final" | "transient";

/**
 * Error codes of the domain. `lib/http/error-table.ts` has the reply of each interface to every code, so a code without
 * one does not compile. `message` is written for the caller and never exposes internals; the cause is only logged.
 */
const domainErrors = {
  // authentication and limits
  api_key_missing: "transient",
  api_key_invalid: "transient",
  permission_denied: "final",
  reseller_suspended: "transient",
  rate_limited: "transient",
  // routing
  operation_unknown: "final",
  method_not_allowed: "final",
  // request format
  http_unreadable: "final",
  headers_too_large: "final",
  expectation_failed: "final",
  request_timeout: "transient",
  body_too_large: "final",
  media_type_unsupported: "final",
  body_unreadable: "final",
  parameters_invalid: "final",
  idempotency_key_reused: "final",
  idempotency_in_progress: "transient",
  // lookups
  product_not_found: "final",
  cycle_not_found: "final",
  bundle_not_found: "final",
  bundle_instance_not_found: "final",
  license_not_found: "final",
  license_ambiguous: "final",
  operation_not_found: "final",
  diagnostics_report_not_found: "final",
  not_found: "final",
  // rules
  state_invalid: "final",
  operation_in_progress: "transient",
  registration_address_taken: "final",
  ip_change_address_taken: "final",
  ip_change_bundle_member: "final",
  not_core_metered: "final",
  insufficient_balance: "transient",
  spending_limit_reached: "transient",
  price_changed: "transient",
  changed_meanwhile: "final",
  conflict: "final",
  // the provider
  registration_rejected: "final",
  ip_change_rejected: "final",
  core_change_rejected: "final",
  provider_rejected: "final",
  provider_unavailable: "transient",
  provider_busy: "transient",
  // our side
  unavailable: "transient",
  internal: "transient",
} as const satisfies Record<string, Finality>;

export type DomainErrorCode = keyof typeof domainErrors;

export const domainErrorCodes = Object.keys(domainErrors) as readonly DomainErrorCode[];

export function isTransient(code: DomainErrorCode): boolean {
  return domainErrors[code] === "transient";
}

/** One invalid parameter. `missing` and `malformed` map to different codes on the dispatch interface (contract 3.2). */
export interface ParameterProblem {
  readonly field: string;
  readonly kind: "missing" | "unreadable" | "wrong_type" | "malformed" | "out_of_range";
  /** Reads after the field's name: "must be a host name". One with a capital is a whole sentence. */
  readonly message: string;
}

/** Amounts of a rejected charge, in minor units of `currency`. */
export interface RefusedCharge {
  /** Current price; negative for a credit. */
  readonly price: bigint;
  /** Amount missing from the balance. */
  readonly missing?: bigint;
  readonly currency: Currency;
}

export interface AroundUnchanged {
  readonly before: string;
  readonly after: string;
}

export interface DomainErrorOptions {
  /** Field name → problem; shown to the caller. */
  readonly details?: Readonly<Record<string, string>>;
  /** In the documented order of the parameters (contract 3.2). */
  readonly problems?: readonly ParameterProblem[];
  /** With `insufficient_balance` and `price_changed` (contract 3.13, 3.15). */
  readonly amounts?: RefusedCharge;
  /** For `Retry-After`, whole seconds. */
  readonly retryAfterSeconds?: number;
  /** The sentences of the message around "Nothing was changed.", which a form can put in its own words. */
  readonly aroundUnchanged?: AroundUnchanged;
  /** A retry can succeed although the code is final. */
  readonly isTemporary?: boolean;
  /** For `Allow`, with `method_not_allowed`. */
  readonly allow?: readonly string[];
  /** Logged, never shown. */
  readonly cause?: unknown;
}

const brand = Symbol.for("license-desk.domain-error");

export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly details: Readonly<Record<string, string>>;
  readonly problems: readonly ParameterProblem[];
  readonly amounts: RefusedCharge | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly aroundUnchanged: AroundUnchanged | undefined;
  readonly isTemporary: boolean;
  readonly allow: readonly string[] | undefined;
  readonly [brand] = true;

  constructor(code: DomainErrorCode, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.problems = options.problems ?? [];
    this.details = options.details ?? Object.fromEntries(this.problems.map(({ field, message }) => [field, message]));
    this.amounts = options.amounts;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.aroundUnchanged = options.aroundUnchanged;
    this.isTemporary = options.isTemporary ?? isTransient(code);
    this.allow = options.allow;
  }
}

/** True for a DomainError of any copy of this module: Next bundles its own copy. */
export function isDomainError(error: unknown): error is DomainError {
  return typeof error === "object" && error !== null && brand in error;
}

/** Reports all invalid parameters, in the documented order. */
export function invalidParameters(problems: readonly ParameterProblem[]): DomainError {
  const [first] = problems;
  const message = first
    ? problemSentence(first.field || "A parameter without a name", first.message)
    : "The request is invalid.";
  return new DomainError("parameters_invalid", message, { problems });
}

/** One field that is not as it must be. @param message reads after the field's name */
export function malformed(field: string, message: string): DomainError {
  return invalidParameters(malformedFields({ [field]: message }));
}

/** Field → what is wrong with it, if anything: reads after the field's name. */
type FieldMessages = Readonly<Record<string, string | false | null>>;

export function malformedFields(messages: FieldMessages): ParameterProblem[] {
  return Object.entries(messages).flatMap(([field, message]) => (message ? { field, kind: "malformed", message } : []));
}

/** @throws DomainError `parameters_invalid` with every field that has a message */
export function requireWellFormed(messages: FieldMessages): void {
  const problems = malformedFields(messages);
  if (problems.length > 0) throw invalidParameters(problems);
}
