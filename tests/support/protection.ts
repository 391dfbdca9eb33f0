import { memoryLimiters } from "#lib/adapters/limiter-memory.ts";
import { rejectApiRequest } from "#lib/http/reject-request.ts";
import { securityHeaders } from "#lib/http/security-headers.ts";
import type { Protection } from "#lib/server/protection.ts";

/** The protection of a test's server; `requestLimiter` counts rejections. */
export function newProtection(changes: Partial<Protection> = {}): Protection {
  const requestLimiter = memoryLimiters.limiter({ name: "requests", windowMs: 60_000, maxTracked: 100 });
  return {
    receiveTimeoutMs: 30_000,
    sendTimeoutMs: 60_000,
    maxConnections: 100,
    maxConnectionsPerSource: 100,
    maxHeldBodyBytes: 32 * 1024 * 1024,
    seal: "seal",
    trustedProxies: [],
    securityHeaders,
    apiMethods: null,
    rejectApiRequest: (error, refused) => rejectApiRequest(requestLimiter, error, refused),
    answerMonitoring: () => false,
    connectionRejected: () => undefined,
    pageAnswered: () => undefined,
    ...changes,
  };
}
