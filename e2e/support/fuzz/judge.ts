import { isApiTarget, isMcpTarget } from "#lib/http/reject-request.ts";
import type { FuzzAnswer, FuzzRequest } from "./request.ts";

/** What a page's error looks like in React's stream; those with a name lead elsewhere, or nowhere. */
const brokenPage = /(?:^|\n)\w+:E\{"digest":"\d+/;
/** What a server action answers when something went wrong on our side. */
const brokenAction = /"code":"internal"/;

/** A notification has no answer. */
const ACCEPTED = 202;

/** What an answer breaks of our promises; null if nothing. */
export function judge(request: FuzzRequest, { status, headers, text }: FuzzAnswer): string | null {
  if (status >= 500) return `status ${status}`;
  if (isApiTarget(request.target)) return judgeApi(request, { status, headers, text });
  if (headers["x-content-type-options"] !== "nosniff") return "no security headers";
  if (brokenPage.test(text)) return "a page that broke";
  return brokenAction.test(text) ? "an action that broke" : null;
}

function judgeApi({ method, target }: FuzzRequest, { status, headers, text }: FuzzAnswer): string | null {
  if (headers["content-type"] !== "application/json") return `content type ${headers["content-type"]}`;
  if (!/^\S+$/.test(String(headers["x-request-id"] ?? ""))) return "no request id";
  for (const name of ["limit", "remaining", "reset"]) {
    if (!/^\d+$/.test(String(headers[`x-ratelimit-${name}`] ?? ""))) return `no X-RateLimit-${name}`;
  }
  if (method === "HEAD") return text === "" ? null : "a body for HEAD";
  try {
    if (status === ACCEPTED && text === "") return null;
    const body = JSON.parse(text);
    if (isMcpTarget(target)) return isMessage(body) ? null : "no message";
    return status < 400 || isErrorBody(body) ? null : "an error of another form";
  } catch {
    return "no JSON";
  }
}

function isMessage({ jsonrpc, result, error }: Record<string, unknown>): boolean {
  return jsonrpc === "2.0" && (typeof result === "object") !== (typeof error === "object");
}

function isErrorBody({ error, code, message, details }: Record<string, unknown>): boolean {
  const isCode = typeof code === "string" && /^[A-Z]+(_[A-Z]+)*$/.test(code);
  return error === true && isCode && typeof message === "string" && message !== "" && typeof details === "object";
}

/** What bytes break that came back over a raw connection; none at all is no break: the connection was closed. */
export function judgeRaw(received: string): string | null {
  const status = /(?:^|\r\n\r\n|\n)HTTP\/1\.1 (5\d\d)/.exec(received)?.[1];
  if (status !== undefined) return `status ${status}`;
  return received === "" || received.startsWith("HTTP/1.1 ") ? null : "bytes that are no answer";
}

/** Lines of the server's log that tell of a fault of ours. */
export function findFaults(log: string): string[] {
  return log.split("\n").filter((line) => /⨯|"level":[56]0|uncaught|unhandled/i.test(line));
}
