import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseInfo } from "./parse-reply.ts";

/** The note that carries our reference at the provider. */
export function formatNote(reference: string): string {
  return `ref:${reference}`;
}

/** Our reference if the notes contain nothing else; null for a license that is not ours. */
export function parseReference(notes: string): string | null {
  return /^ref:(\S+)$/.exec(notes)?.[1] ?? null;
}

export type RequestTrace =
  /** The license is in the requested state. */
  | "done"
  | "not_done"
  /** A change is open at the provider. */
  | "open"
  /** The provider has terminated the license. */
  | "ended";

/** What a license's state at the provider implies for a request. */
export function traceRequest(request: ProviderRequest, info: LicenseInfo): RequestTrace {
  if (info.status === "pending") return "open";
  if (isDone(request, info)) return "done";
  if (info.operation_id !== undefined) return "open";
  return info.status === "terminated" ? "ended" : "not_done";
}

function isDone(request: ProviderRequest, info: LicenseInfo): boolean {
  const { action } = request;
  switch (action) {
    case "provision":
      return true;
    case "set_term":
      return isRenewed(request, info.expires_at);
    case "set_address":
      return info.ip_address === request.ipAddress;
    case "set_cores":
      return info.cores === request.cores;
    case "suspend":
      return info.status === "suspended";
    case "unsuspend":
      return info.status === "active" || info.status === "expired";
    case "terminate":
      return info.status === "terminated" || (info.status === "suspended" && !request.wasSuspended);
    default:
      return action satisfies never;
  }
}

/**
 * The provider counts terms from its own clock and day of issue, so ends are close to ours but not equal: a term is
 * renewed if its end is closer to the requested end than to the previous one.
 */
function isRenewed({ previousExpiresAt, expiresAt }: ProviderRequest, actual: string): boolean {
  if (previousExpiresAt === null) return false;
  return Date.parse(actual) >= (Date.parse(previousExpiresAt) + Date.parse(expiresAt)) / 2;
}
