import type { IncomingMessage } from "node:http";
import { MAX_IMPORT_BYTES } from "#lib/domain/import-size.ts";

const KIB = 1024;
const SIGN_IN_BYTES = 16 * KIB;
const FORM_BYTES = 64 * KIB;
/** The largest: the ids of 10,000 selected licenses. */
const ACTION_BYTES = 256 * KIB;
/** The largest of all: in JSON, line ends and quotes of the table take two bytes. */
export const IMPORT_ACTION_BYTES = MAX_IMPORT_BYTES + MAX_IMPORT_BYTES / 4;
const IMPORT_PATH = "/licenses/import";

/** Maximum size of a request body for a page, a server action or next-auth. */
export function findBodyLimit({ url = "", headers }: IncomingMessage): number {
  const path = url.split("?", 1)[0] ?? "";
  if (path.startsWith("/api/")) return SIGN_IN_BYTES;
  if (!isJson(headers["content-type"])) return FORM_BYTES;
  return path === IMPORT_PATH && headers["next-action"] !== undefined ? IMPORT_ACTION_BYTES : ACTION_BYTES;
}

/** Next's client sends the arguments of a server action as JSON labeled plain text. */
export function isJson(contentType: string | undefined): boolean {
  return /^(?:text\/plain|application\/json)\s*(?:;|$)/i.test(contentType ?? "");
}
