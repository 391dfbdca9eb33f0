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
  readonly cause?: unknown;
}

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

  constructor(message: string, fields: ErrorFields) {
    super(message, { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status ?? null;
    this.details = fields.details ?? {};
    this.requestId = fields.requestId ?? null;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
    this.idempotencyKey = fields.idempotencyKey ?? null;
  }
}

/** No readable answer arrived. A change may have happened: call again with `idempotencyKey`. */
export class ConnectionError extends LicenseDeskError {
  override readonly name = "ConnectionError";

  constructor(message: string, fields: Omit<ErrorFields, "code">) {
    super(message, { ...fields, code: "CONNECTION_FAILED" });
  }
}

/** No answer arrived in time. A change may have happened: call again with `idempotencyKey`. */
export class TimeoutError extends LicenseDeskError {
  override readonly name = "TimeoutError";

  constructor(message: string, fields: Omit<ErrorFields, "code">) {
    super(message, { ...fields, code: "TIMEOUT" });
  }
}
