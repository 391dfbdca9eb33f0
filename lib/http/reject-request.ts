import { normalizeAddress } from "#lib/domain/cidr.ts";
import type { DomainError } from "#lib/domain/errors.ts";
import { type AnsweredCall, NO_OPERATION } from "#lib/domain/observation.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import type { Runtime } from "#lib/runtime.ts";
import type { KeyInterface } from "./endpoint.ts";
import { presentDispatchError, presentPathError } from "./error-table.ts";
import { ANONYMOUS_LIMIT, rateLimited } from "./identify-caller.ts";
import { internalError } from "./internal-error.ts";
import { newRequestId } from "./request-id.ts";
import { apiHeaders } from "./response.ts";
import { presentRpcError } from "./rpc-error.ts";

/** A response to a request that reaches neither the API nor the pages. */
export interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of a request that could not be read or answered. */
export interface RejectedRequest {
  /** Path and query; null if no request could be read. */
  readonly target: string | null;
  readonly peerAddress: string;
}

/** A rejection of a request to the API, which counts as answered. */
interface ApiRejection extends Rejection {
  readonly call: AnsweredCall;
}

const API_PATH = "/api/v1";

/** True for `/api/v1` and below, and `/mcp`, as sent: not decoded or normalized. */
export function isApiTarget(target: string): boolean {
  if (isMcpTarget(target)) return true;
  if (!target.startsWith(API_PATH)) return false;
  const next = target.charAt(API_PATH.length);
  return next === "" || next === "/" || next === "?";
}

export function isMcpTarget(target: string): boolean {
  return /^\/mcp\/?(?:\?|$)/.test(target);
}

function isDispatchTarget(target: string): boolean {
  return /^\/api\/v1\/?(?:\?|$)/.test(target);
}

/**
 * Rejects a request with the error body of its interface, or of the path interface without a target. Without headers,
 * it counts as a request of the peer without a valid key (contract 1.5). Timeouts are not counted, because browsers
 * open connections in advance and may not use them.
 */
export function rejectApiRequest(
  limiter: Runtime["requestLimiter"],
  error: DomainError,
  rejected: RejectedRequest,
): ApiRejection {
  const { target, peerAddress } = rejected;
  const address = normalizeAddress(peerAddress) ?? peerAddress;
  const source = rateLimitSource(address);
  const nowMs = Date.now();
  const limit = limiter.takeHere(source, ANONYMOUS_LIMIT, nowMs);
  if (limit.allowed && error.code === "request_timeout") limiter.release(source, nowMs);
  const requestId = newRequestId();
  const named = error.code === "internal" ? internalError(requestId, error.cause) : error;
  const shown = limit.allowed ? named : rateLimited(limit);
  const name = interfaceOf(target ?? "");
  const { status, body } = presenters[name](shown);
  return {
    status,
    headers: apiHeaders(limit, requestId, shown),
    body: JSON.stringify(body),
    call: {
      interface: name,
      operation: NO_OPERATION,
      code: shown.code,
      status,
      durationMs: 0,
      requestId,
      key: null,
      resellerId: null,
      source: address,
    },
  };
}

const presenters = { mcp: presentRpcError, dispatch: presentDispatchError, path: presentPathError };

function interfaceOf(target: string): KeyInterface["name"] {
  if (isMcpTarget(target)) return "mcp";
  return isDispatchTarget(target) ? "dispatch" : "path";
}

/** Rejects a request for a page or a server action, whose caller shows the plain text. */
export function rejectPageRequest(error: DomainError, securityHeaders: Readonly<Record<string, string>>): Rejection {
  const { status } = presentPathError(error);
  const { allow, retryAfterSeconds } = error;
  return {
    status,
    headers: {
      ...securityHeaders,
      // Next's client shows the body of a failed action only for this exact type.
      "Content-Type": "text/plain",
      "Cache-Control": "no-store",
      ...(allow === undefined ? {} : { Allow: allow.join(", ") }),
      ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) }),
    },
    body: `${error.message}\n`,
  };
}
