import type { IncomingMessage } from "node:http";
import { DomainError } from "#lib/domain/errors.ts";

/** Brings a whole URL, which proxies may send, to the usual form of a target: `/path?query`. */
export function normalizeTarget(request: IncomingMessage): void {
  const target = request.url ?? "";
  if (target.startsWith("/")) return;
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (origin === undefined) return;
  const path = target.slice(origin.length);
  request.url = path.startsWith("/") ? path : `/${path}`;
}

const HOST_NAME_BYTES = 4;
const usualHost = /^[a-z0-9._-]+(?::\d{1,5})?$/i;
/** What would end the host in a URL, or begin something else. */
const noHost = /[\s/\\?#@]/;

/** What makes a request meaningless, however well formed it is; null for all others. */
export function findUnusable({ url = "", rawHeaders }: IncomingMessage): DomainError | null {
  if (!url.startsWith("/")) return unreadable("The request target is not a path.");
  if (!/^[\x21-\x7e]*$/.test(url)) return unreadable("The request target has bytes that must be percent-encoded.");
  if (/^[^?]*\\/.test(url)) return unreadable("The path has a backslash.");
  let host: string | null = null;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== HOST_NAME_BYTES || name.toLowerCase() !== "host") continue;
    if (host !== null) return unreadable("There is more than one Host header.");
    host = rawHeaders[at + 1] ?? "";
  }
  if (host === null || host === "") return unreadable("There is no Host header.");
  if (usualHost.test(host)) return null;
  return !noHost.test(host) && URL.canParse(`http://${host}`) ? null : unreadable("The Host header names no host.");
}

function unreadable(message: string): DomainError {
  return new DomainError("http_unreadable", message);
}
