import type { IncomingHttpHeaders } from "node:http";
import { DomainError } from "#lib/domain/errors.ts";

/**
 * React reads much more into the body of a server action than our pages send: files, streams, promises, references into
 * other parts. Arguments are plain JSON here, and all else is refused before React sees it.
 */
export type ActionForm = "arguments" | "button";

const ACTION_ID = /^[0-9a-f]{42}$/;
/** What React's client writes for values that JSON lacks, and for text that begins with a dollar sign. */
const plainText = /^(?:[^$]|\$\$|\$(?:undefined|NaN|-?Infinity|-0)$|$)/;
/** A form with nothing but a button, sent before the page's script runs: signing out. */
const buttonForm =
  /^--(\S{1,70})\r\nContent-Disposition: form-data; name="\$ACTION_ID_[0-9a-f]{42}"\r\n\r\n\r\n--\1--\r\n$/;

/**
 * How a POST to a page calls a server action; null where it calls none.
 * @throws DomainError `permission_denied`, `not_found`, `media_type_unsupported`: no page sends such a call
 */
export function actionFormOf(headers: IncomingHttpHeaders): ActionForm | null {
  const { origin, "next-action": id, "content-type": contentType } = headers;
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  const isForm = mediaType === "multipart/form-data";
  if (id === undefined && !isForm) return null;
  if (origin !== undefined) requireOwnOrigin(origin, headers);
  if (id === undefined) return "button";
  if (!ACTION_ID.test(String(id))) throw new DomainError("not_found", "There is no such server action.");
  if (mediaType === "text/plain") return "arguments";
  throw new DomainError("media_type_unsupported", "Send the arguments of a server action as text/plain.");
}

/** Compares as Next does, which answers 500. A caller without the header is no browser: it has no cookies but its own. */
function requireOwnOrigin(origin: string, headers: IncomingHttpHeaders): void {
  const forwardedHost = String(headers["x-forwarded-host"] ?? "")
    .split(",", 1)[0]
    ?.trim();
  const isOwn = URL.canParse(origin) && new URL(origin).host === (forwardedHost || headers.host);
  if (!isOwn) throw new DomainError("permission_denied", "Another site may not call a server action.");
}

/** What is wrong with the body of a call; null if nothing. */
export function checkActionBody(form: ActionForm, body: string, contentType: string): DomainError | null {
  const isRight = form === "arguments" ? arePlainArguments(body) : isButtonForm(body, contentType);
  return isRight ? null : new DomainError("body_unreadable", "No page sends such a body to a server action.");
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

function isButtonForm(body: string, contentType: string): boolean {
  const boundary = /;\s*boundary="?([^\s";]+)"?\s*$/i.exec(contentType)?.[1];
  return boundary !== undefined && buttonForm.exec(body)?.[1] === boundary;
}
