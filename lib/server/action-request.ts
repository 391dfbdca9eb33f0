import type { IncomingHttpHeaders } from "node:http";
import { DomainError } from "#lib/domain/errors.ts";

const ACTION_ID = /^[0-9a-f]{42}$/;
/** React's encoding of values that JSON lacks, and of text that starts with a dollar sign. */
const plainText = /^(?:[^$]|\$\$|\$(?:undefined|NaN|-?Infinity|-0)$|$)/;

/**
 * Whether a POST to a page calls a server action, as our scripts do. Forms without a script call none.
 * @throws DomainError `permission_denied`, `not_found`, `media_type_unsupported` for calls that no page makes
 */
export function isActionCall(headers: IncomingHttpHeaders): boolean {
  const { origin, "next-action": id, "content-type": contentType } = headers;
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  // As Next does: by the beginning.
  const isForm = mediaType?.startsWith("multipart/form-data");
  if (id === undefined && !isForm) return false;
  if (origin !== undefined) requireOwnOrigin(origin, headers);
  if (id !== undefined && !ACTION_ID.test(String(id)))
    throw new DomainError("not_found", "There is no such server action.");
  if (mediaType === "text/plain") return true;
  throw new DomainError("media_type_unsupported", "Send the arguments of a server action as text/plain.");
}

/**
 * Compares like Next, which would respond with 500. A caller without the header is not a browser and has only its own
 * cookies.
 */
function requireOwnOrigin(origin: string, headers: IncomingHttpHeaders): void {
  const forwardedHost = String(headers["x-forwarded-host"] ?? "")
    .split(",", 1)[0]
    ?.trim();
  const isOwn = URL.canParse(origin) && new URL(origin).host === (forwardedHost || headers.host);
  if (!isOwn) throw new DomainError("permission_denied", "Another site cannot call a server action.");
}

/**
 * Returns the problem with the body of a call, or null. React decodes much more than our pages send: files, streams,
 * promises, references. Only plain JSON arguments are accepted, before React sees the body.
 */
export function checkActionBody(body: string): DomainError | null {
  return arePlainArguments(body)
    ? null
    : new DomainError("body_unreadable", "No page sends such a body to a server action.");
}

function arePlainArguments(body: string): boolean {
  try {
    const sent: unknown = JSON.parse(body);
    return Array.isArray(sent) && isPlain(sent);
  } catch {
    return false;
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value === "string") return plainText.test(value);
  if (typeof value !== "object" || value === null) return true;
  return Array.isArray(value) ? value.every(isPlain) : Object.values(value).every(isPlain);
}
