import type { ApiErrorCode } from "./schema.ts";

/** The API may gain codes, so any other text is possible. */
export type ErrorCode = ApiErrorCode | "CONNECTION_FAILED" | "TIMEOUT" | (string & {});

export interface ErrorFields {
  readonly code: ErrorCode;
  readonly status?: number | null;
  readonly details?: Readonly<Record<string, string | number>>;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly idempotencyKey?: string | null;
  /** An earlier attempt left the outcome unclear. */
  readonly wasUnclear?: boolean;
  readonly cause?: unknown;
}

const UNCLEAR_CODES = new Set<string>(["CONNECTION_FAILED", "TIMEOUT", "IDEMPOTENCY_IN_PROGRESS"]);
/** Given before the idempotency key is looked up, so they say nothing about an earlier attempt. */
const EARLY_STATUSES = new Set([401, 403, 408, 429]);
/**
 * They leave the idempotency key free: an earlier attempt still on its way is carried out once it arrives. A changed
 * price is 409 `INVALID_REQUEST` on the path interface.
 */
const UNSTORED_REPLIES = new Set([
  "400 INSUFFICIENT_BALANCE",
  "409 INVALID_REQUEST",
  "409 OPERATION_IN_PROGRESS",
  "409 PRICE_CHANGED",
]);
const FIRST_SERVER_ERROR = 500;

/** Every failed call throws one. */
export class LicenseDeskError extends Error {
  override readonly name: string = "LicenseDeskError";
  readonly code: ErrorCode;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Field name to text, one for each invalid field; amounts are numbers. */
  readonly details: Readonly<Record<string, string | number>>;
  /** Quote it to support. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** Of a change: calling again with it never charges twice. */
  readonly idempotencyKey: string | null;
  /** The change may have happened: only a call with `idempotencyKey` never charges twice. */
  readonly isUnclear: boolean;

  constructor(message: string, fields: ErrorFields) {
    super(message, { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status ?? null;
    this.details = fields.details ?? {};
    this.requestId = fields.requestId ?? null;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
    this.idempotencyKey = fields.idempotencyKey ?? null;
    const { code, status } = this;
    const isOpen = UNCLEAR_CODES.has(code) || (status !== null && status >= FIRST_SERVER_ERROR);
    const saysNothing = EARLY_STATUSES.has(status ?? 0) || UNSTORED_REPLIES.has(`${status} ${code}`);
    const staysOpen = fields.wasUnclear === true && saysNothing;
    this.isUnclear = this.idempotencyKey !== null && (isOpen || staysOpen);
  }
}

/** No readable answer arrived. */
export class ConnectionError extends LicenseDeskError {
  override readonly name = "ConnectionError";

  constructor(message: string, fields: Omit<ErrorFields, "code">) {
    super(message, { ...fields, code: "CONNECTION_FAILED" });
  }
}

/** No answer arrived in time. */
export class TimeoutError extends LicenseDeskError {
  override readonly name = "TimeoutError";

  constructor(message: string, fields: Omit<ErrorFields, "code">) {
    super(message, { ...fields, code: "TIMEOUT" });
  }
}
