import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseInfo } from "./dispatch-answers.ts";

/** How our reference stands in the notes of the provider's license. */
export function noteOf(reference: string): string {
  return `ref:${reference}`;
}

/** Our reference, where notes hold nothing else; null for a license that did not come from us. */
export function referenceIn(notes: string): string | null {
  return /^ref:(\S+)$/.exec(notes)?.[1] ?? null;
}

export type RequestTrace =
  /** The license is as the request wants it. */
  | "done"
  | "not_done"
  /** A change of it is open at the provider: neither yet. */
  | "open"
  /** The provider has ended the license for good. */
  | "ended";

/** What a license's state at the provider says of a request. */
export function traceOf(request: ProviderRequest, info: LicenseInfo): RequestTrace {
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
      return info.status === "suspended" || info.status === "terminated";
    default:
      return action satisfies never;
  }
}

/**
 * The provider counts terms from its own clock and its own day of issue, so its ends are near ours, not equal: a term
 * counts as renewed when its end is nearer to the wanted one than to the one before.
 */
function isRenewed({ previousExpiresAt, expiresAt }: ProviderRequest, actual: string): boolean {
  if (previousExpiresAt === null) return false;
  return Date.parse(actual) >= (Date.parse(previousExpiresAt) + Date.parse(expiresAt)) / 2;
}
