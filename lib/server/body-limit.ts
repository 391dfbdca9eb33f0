import type { IncomingMessage } from "node:http";
import { MAX_IMPORT_BYTES } from "#lib/domain/import-size.ts";

const KIB = 1024;
const SIGN_IN_BYTES = 16 * KIB;
const FORM_BYTES = 64 * KIB;
/** The longest: the ids of 10,000 selected licenses. */
const ACTION_BYTES = 256 * KIB;
/** The largest of all. In JSON, a line end or a quote of the table takes two bytes. */
export const IMPORT_ACTION_BYTES = MAX_IMPORT_BYTES + MAX_IMPORT_BYTES / 4;
const IMPORT_PATH = "/licenses/import";

/** How many bytes a request to a page, a server action or next-auth may have in its body. */
export function bodyLimitOf({ url = "", headers }: IncomingMessage): number {
  const path = url.split("?", 1)[0] ?? "";
  if (path.startsWith("/api/")) return SIGN_IN_BYTES;
  if (!isJson(headers["content-type"])) return FORM_BYTES;
  return path === IMPORT_PATH && headers["next-action"] !== undefined ? IMPORT_ACTION_BYTES : ACTION_BYTES;
}

/** Next's client sends the arguments of a server action as JSON that is called plain text. */
export function isJson(contentType: string | undefined): boolean {
  return /^(?:text\/plain|application\/json)\s*(?:;|$)/i.test(contentType ?? "");
}
