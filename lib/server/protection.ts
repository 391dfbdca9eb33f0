import type { DomainError } from "#lib/domain/errors.ts";
import type { Cidr } from "#lib/domain/ipv4.ts";
import { parseCidr } from "#lib/domain/ipv4.ts";
import type { Env } from "#lib/env.ts";
import { type RejectedRequest, type Rejection, rejectApiRequest } from "#lib/http/reject-request.ts";
import { securityHeaders, strictTransportSecurity } from "#lib/http/security-headers.ts";
import { getRuntime } from "#lib/runtime.ts";

/** What a server is protected by. */
export interface Protection {
  /** A request must have arrived whole within it. */
  readonly receiveTimeoutMs: number;
  /**
   * A connection that takes no byte of a waiting answer for so long, up to twice as long, is ended, which ends the making
   * of the answer. One that takes some is left alone, however slow it is.
   */
  readonly sendTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerSource: number;
  /** They carry the connections of many sources. */
  readonly trustedProxies: readonly Cidr[];
  /** Bodies of more than 64 KiB that are in memory at once. */
  readonly maxHeldBodyBytes: number;
  /** Of every response but the API's. */
  readonly securityHeaders: Readonly<Record<string, string>>;
  rejectApiRequest(error: DomainError, refused: RejectedRequest): Rejection;
}

const MAX_HELD_BODY_BYTES = 32 * 1024 * 1024;

/** As the environment of this process wants it. */
export function protectionOf(env: Env): Protection {
  return {
    receiveTimeoutMs: env.RECEIVE_TIMEOUT_MS,
    sendTimeoutMs: env.SEND_TIMEOUT_MS,
    maxConnections: env.MAX_CONNECTIONS,
    maxConnectionsPerSource: env.MAX_CONNECTIONS_PER_SOURCE,
    trustedProxies: env.TRUSTED_PROXIES.map(parseCidr).filter((cidr) => cidr !== null),
    maxHeldBodyBytes: MAX_HELD_BODY_BYTES,
    securityHeaders: { ...securityHeaders, ...(isHttps(env.NEXTAUTH_URL) ? strictTransportSecurity : {}) },
    rejectApiRequest: (error, refused) => rejectApiRequest(getRuntime().requestLimiter, error, refused),
  };
}

function isHttps(url: string | undefined): boolean {
  return url !== undefined && new URL(url).protocol === "https:";
}
