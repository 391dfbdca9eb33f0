import { DomainError } from "#lib/domain/errors.ts";
import type { ApiInterface, EndpointsByMethod, Target } from "#lib/http/endpoint.ts";
import { presentPathError } from "#lib/http/error-table.ts";
import { quote } from "#lib/http/quote.ts";
import { diagnosticsGet, diagnosticsReport } from "./diagnostics.ts";
import { eventGet, eventList, eventResend } from "./events.ts";
import { licenseStatus, licenseUpdate, licenseVerify } from "./license.ts";
import { licenseSetAutoRenew, licenseTerminate } from "./license-state.ts";
import { licenseList } from "./licenses.ts";
import { meGet } from "./me.ts";
import { operationGet } from "./operations.ts";
import {
  webhookEndpointCreate,
  webhookEndpointDelete,
  webhookEndpointGet,
  webhookEndpointList,
  webhookEndpointRotateSecret,
  webhookEndpointTest,
  webhookEndpointUpdate,
  webhookEndpointVerify,
} from "./webhook-endpoints.ts";

const bearerPattern = /^Bearer +(\S+) *$/i;

/** Reads only `Authorization: Bearer` (contract 1.2). */
export const pathInterface: ApiInterface = {
  name: "path",
  mediaTypes: ["application/json"],
  operationParameter: null,
  keyHeader: "Authorization: Bearer <API key>",
  readToken(headers) {
    const authorization = headers.get("authorization");
    // Another scheme is an invalid key, not a missing one.
    return authorization === null ? null : (bearerPattern.exec(authorization)?.[1] ?? "");
  },
  unknownTarget: ({ pathname }) => new DomainError("operation_unknown", `There is nothing at ${quote(pathname)}.`),
  presentError: presentPathError,
};

/** Routes below `/api/v1`. */
export const pathTargets: Readonly<Record<string, EndpointsByMethod>> = {
  "/license/status": { GET: licenseStatus },
  "/license/verify": { POST: licenseVerify },
  "/license/update": { POST: licenseUpdate },
  "/license/auto-renew": { POST: licenseSetAutoRenew },
  "/license/terminate": { POST: licenseTerminate },
  "/licenses": { GET: licenseList },
  "/diagnostics": { GET: diagnosticsGet, POST: diagnosticsReport },
  "/operations/{id}": { GET: operationGet },
  "/me": { GET: meGet },
  "/webhook-endpoints": { GET: webhookEndpointList, POST: webhookEndpointCreate },
  "/webhook-endpoints/{id}": {
    GET: webhookEndpointGet,
    PATCH: webhookEndpointUpdate,
    DELETE: webhookEndpointDelete,
  },
  "/webhook-endpoints/{id}/rotate-secret": { POST: webhookEndpointRotateSecret },
  "/webhook-endpoints/{id}/test": { POST: webhookEndpointTest },
  "/webhook-endpoints/{id}/verify": { POST: webhookEndpointVerify },
  "/events": { GET: eventList },
  "/events/{id}": { GET: eventGet },
  "/events/{id}/resend": { POST: eventResend },
};

const fixedRoutes = new Map(
  Object.entries(pathTargets)
    .filter(([path]) => !path.includes("{"))
    .map(([path, endpoints]) => [path, { endpoints, pathParameters: {} }]),
);
const patterns = Object.entries(pathTargets)
  .filter(([path]) => path.includes("{"))
  .map(([path, endpoints]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
    endpoints,
  }));

/** @param path as sent, below `/api/v1`, not decoded */
export function findPathTarget(path: string): Target {
  const target = fixedRoutes.get(path);
  if (target) return target;
  for (const { pattern, endpoints } of patterns) {
    const match = pattern.exec(path);
    if (match) return { endpoints, pathParameters: { ...match.groups } };
  }
  return null;
}
