import type { IncomingMessage } from "node:http";
import { DomainError } from "#lib/domain/errors.ts";
import { isApiTarget } from "#lib/http/reject-request.ts";

/** Converts an absolute URL, which proxies may send, to the usual `/path?query`. */
export function normalizeTarget(request: IncomingMessage): void {
  const target = request.url ?? "";
  if (target.startsWith("/")) return;
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (origin === undefined) return;
  const path = target.slice(origin.length);
  request.url = path.startsWith("/") ? path : `/${path}`;
}

/** Next fails on a path that cannot be decoded. Read literally, it names nothing. */
export function escapeMalformedPath(request: IncomingMessage): void {
  const { path = "", query = "" } = /^(?<path>[^?]*)(?<query>.*)$/s.exec(request.url ?? "")?.groups ?? {};
  if (!path.includes("%")) return;
  try {
    decodeURIComponent(path);
  } catch {
    request.url = path.replaceAll("%", "%25") + query;
  }
}

/**
 * Keeps Next from answering for the API: 500 to a path that cannot be decoded, and a redirect (contract 1.1) to one with
 * two slashes in a row.
 */
export function escapeApiPath(request: IncomingMessage): void {
  if (!isApiTarget(request.url ?? "")) return;
  escapeMalformedPath(request);
  request.url = request.url?.replace(/^[^?]*/, (path) => path.replaceAll("//", "/%2f"));
}

const HOST_NAME_BYTES = 4;
const usualHost = /^[a-z0-9._-]+(?::\d{1,5})?$/i;
/** Characters that would end the host of a URL. */
const invalidHost = /[\s/\\?#@]/;

/** Returns why a well-formed request is meaningless, or null. */
export function findRequestProblem({ url = "", rawHeaders }: IncomingMessage): DomainError | null {
  if (!url.startsWith("/")) return unreadable("The request target is not a path.");
  if (!/^[\x21-\x7e]*$/.test(url)) return unreadable("The request target has bytes that must be percent-encoded.");
  if (/^[^?]*\\/.test(url)) return unreadable("The path contains a backslash.");
  let host: string | null = null;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== HOST_NAME_BYTES || name.toLowerCase() !== "host") continue;
    if (host !== null) return unreadable("There is more than one Host header.");
    host = rawHeaders[at + 1] ?? "";
  }
  if (host === null || host === "") return unreadable("There is no Host header.");
  if (usualHost.test(host)) return null;
  return !invalidHost.test(host) && URL.canParse(`http://${host}`) ? null : unreadable("The Host header is invalid.");
}

const PAGE_METHODS = ["GET", "HEAD", "POST"];
const FILE_METHODS = ["GET", "HEAD"];
/** A last segment with a dot, unless it is an IPv4 address, which names a server's page. */
const filePath = /^(?![^?]*\/\d{1,3}(?:\.\d{1,3}){3}(?:\?|$))[^?]*\.[^/?]*(?:\?|$)/;

/** For everything but the API: Next answers 500 to TRACE, and to any other method of a file. */
export function pageMethods({ url = "" }: IncomingMessage): readonly string[] {
  return filePath.test(url) ? FILE_METHODS : PAGE_METHODS;
}

export function findMethodProblem(
  { method = "" }: IncomingMessage,
  allow: readonly string[] | null,
): DomainError | null {
  if (allow === null || allow.includes(method)) return null;
  return new DomainError("method_not_allowed", `Use ${allow.join(" or ")} here, not ${method}.`, { allow });
}

function unreadable(message: string): DomainError {
  return new DomainError("http_unreadable", message);
}
