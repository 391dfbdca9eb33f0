import type { DomainError } from "#lib/domain/errors.ts";
import { normalizeAddress } from "#lib/domain/ipv4.ts";
import type { FixedWindowLimiter } from "#lib/domain/rate-limit.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import { presentDispatchError } from "./dispatch-api/error-table.ts";
import { ANONYMOUS_LIMIT, rateLimited } from "./identify-caller.ts";
import { internalError } from "./internal-error.ts";
import { presentPathError } from "./path-api/error-table.ts";
import { newRequestId } from "./request-id.ts";
import { apiHeaders } from "./response.ts";

/** An answer from below the API and the pages, to a request that neither of them gets to see. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of a request that could not be read, or of an answer that could not be made. */
export interface Refused {
  /** Path and query; null where no request could be read. */
  readonly target: string | null;
  readonly peerAddress: string;
}

const API_PATH = "/api/v1";

/** True for `/api/v1` and everything below it, as sent: nothing is decoded or normalized. */
export function isApiTarget(target: string): boolean {
  if (!target.startsWith(API_PATH)) return false;
  const next = target.charAt(API_PATH.length);
  return next === "" || next === "/" || next === "?";
}

function isDispatchTarget(target: string): boolean {
  return /^\/api\/v1\/?(?:\?|$)/.test(target);
}

/**
 * Refuses a request in the error body of its interface, which is the path interface's where no target could be read.
 * It counts as a request without a valid key of the peer: without headers there is no other source (contract 1.5). A
 * client that was too slow is not counted; browsers open connections ahead and may leave them unused.
 */
export function refuseApiRequest(limiter: FixedWindowLimiter, error: DomainError, refused: Refused): Refusal {
  const { target, peerAddress } = refused;
  const source = rateLimitSource(normalizeAddress(peerAddress) ?? peerAddress);
  const nowMs = Date.now();
  const limit = limiter.take(source, ANONYMOUS_LIMIT, nowMs);
  if (limit.allowed && error.code === "request_timeout") limiter.release(source, nowMs);
  const requestId = newRequestId();
  const named = error.code === "internal" ? internalError(requestId, error.cause) : error;
  const shown = limit.allowed ? named : rateLimited(limit);
  const present = target !== null && isDispatchTarget(target) ? presentDispatchError : presentPathError;
  const { status, body } = present(shown);
  return { status, headers: apiHeaders(limit, requestId, shown), body: JSON.stringify(body) };
}

/** Refuses what is meant for a page or a server action, whose callers show the text as it is. */
export function refusePageRequest(error: DomainError, securityHeaders: Readonly<Record<string, string>>): Refusal {
  const { status } = presentPathError(error);
  const { retryAfterSeconds } = error;
  return {
    status,
    headers: {
      ...securityHeaders,
      // Next's client shows the body of a refused action under this very type alone.
      "Content-Type": "text/plain",
      "Cache-Control": "no-store",
      ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) }),
    },
    body: `${error.message}\n`,
  };
}
