import { createHmac, randomBytes } from "node:crypto";
import type { Cidr } from "#lib/domain/cidr.ts";
import type { DomainError } from "#lib/domain/errors.ts";
import type { AnsweredCall, RejectedConnection } from "#lib/domain/observation.ts";
import type { Env } from "#lib/env.ts";
import { type RejectedRequest, type Rejection, rejectApiRequest } from "#lib/http/reject-request.ts";
import { securityHeaders, strictTransportSecurity } from "#lib/http/security-headers.ts";
import { getRuntime } from "#lib/runtime.ts";
import { createMonitoring, type Monitoring } from "./monitoring.ts";

/** Limits that protect a server. */
export interface Protection {
  /** Time for a whole request to arrive. */
  readonly receiveTimeoutMs: number;
  /**
   * A connection that reads none of a waiting response for this long (up to twice as long) is closed, which stops
   * producing the response. One that reads slowly continues.
   */
  readonly sendTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerSource: number;
  /** A secret of this server's processes, for requests that they send to each other. */
  readonly seal: string;
  /** Carry the connections of many sources. */
  readonly trustedProxies: readonly Cidr[];
  /** Limit on the bodies above 64 KiB in memory. */
  readonly maxHeldBodyBytes: number;
  /** For every response except the API's. */
  readonly securityHeaders: Readonly<Record<string, string>>;
  /** Others are refused on every path. Null: the API's handler answers each path with its own. */
  readonly apiMethods: readonly string[] | null;
  rejectApiRequest(error: DomainError, refused: RejectedRequest): Rejection;
  readonly answerMonitoring: Monitoring;
  connectionRejected(reason: RejectedConnection): void;
  pageAnswered(call: AnsweredCall): void;
}

const SECRET_BYTES = 32;
const MAX_HELD_BODY_BYTES = 32 * 1024 * 1024;

/** The configured limits of this process. `shutdown`: aborted once it shuts down. */
export function protectionFromEnv(env: Env, shutdown?: AbortSignal): Protection {
  return {
    receiveTimeoutMs: env.RECEIVE_TIMEOUT_MS,
    sendTimeoutMs: env.SEND_TIMEOUT_MS,
    maxConnections: env.MAX_CONNECTIONS,
    maxConnectionsPerSource: env.MAX_CONNECTIONS_PER_SOURCE,
    seal: createHmac("sha256", env.NEXTAUTH_SECRET ?? randomBytes(SECRET_BYTES))
      .update("seal")
      .digest("base64url"),
    trustedProxies: env.TRUSTED_PROXIES,
    maxHeldBodyBytes: MAX_HELD_BODY_BYTES,
    securityHeaders: { ...securityHeaders, ...(isHttps(env.NEXTAUTH_URL) ? strictTransportSecurity : {}) },
    apiMethods: null,
    rejectApiRequest(error, refused) {
      const { requestLimiter, requestAnswered } = getRuntime();
      const rejection = rejectApiRequest(requestLimiter, error, refused);
      requestAnswered(rejection.call);
      return rejection;
    },
    answerMonitoring: createMonitoring({ metricsToken: env.METRICS_TOKEN ?? null, shutdown }),
    connectionRejected: (reason) => getRuntime().metrics.connectionRejected(reason),
    pageAnswered: (call) => getRuntime().requestAnswered(call),
  };
}

function isHttps(url: string | undefined): boolean {
  return url !== undefined && new URL(url).protocol === "https:";
}
