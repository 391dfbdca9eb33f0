/** An answered request: all that metrics and the access log get of it. Never a key, URL, header or body. */
export interface AnsweredCall {
  readonly interface: "path" | "dispatch" | "mcp" | "action" | "page";
  /** The name of an endpoint or action; a fixed word for a request without one. */
  readonly operation: string;
  /** `ok`, the code of an error, or `http_` and a status. */
  readonly code: string;
  /** Null for an action, whose page has one. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Null for a page. */
  readonly requestId: string | null;
  /** The hint of a valid API key. */
  readonly key: string | null;
  readonly resellerId: number | null;
  /** The caller's address. */
  readonly source: string | null;
}

/** The operation of a request that was refused before one was found. */
export const NO_OPERATION = "none";

const FIRST_ERROR_STATUS = 400;

/** The outcome of a request without an error of ours, which may be a replayed error. */
export function codeOf(status: number): string {
  return status < FIRST_ERROR_STATUS ? "ok" : `http_${status}`;
}

/** Why a connection was closed without serving a request. */
export type RejectedConnection = "source_limit" | "total_limit" | "unreadable" | "timeout";

/** By what a visitor tried to sign in. */
export type SignInMethod = "password" | "second_factor" | "passkey" | "issuer";

export type BreakerState = "closed" | "half_open" | "open";

/** A request to a provider. */
export interface ProviderCall {
  readonly provider: string;
  /** A change, or the question for the outcome of one. */
  readonly request: "change" | "look_up";
  /** A fixed word, such as `succeeded` or `time_out`. */
  readonly outcome: string;
  readonly durationMs: number;
}
