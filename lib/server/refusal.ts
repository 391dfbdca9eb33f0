import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { DomainError } from "#lib/domain/errors.ts";
import { isApiTarget, type Rejection, rejectPageRequest } from "#lib/http/reject-request.ts";
import { DRAIN_MS, drainBeforeClosing } from "./drain.ts";
import type { Protection } from "./protection.ts";

/** In the form of what the request is for; in that of the API where nobody can tell. */
export function refusalOf(protection: Protection, request: IncomingMessage, error: DomainError): Rejection {
  const { url: target = "", socket } = request;
  const isForPage = target.startsWith("/") && !isApiTarget(target) && error.code !== "http_unreadable";
  if (isForPage) return rejectPageRequest(error, protection.securityHeaders);
  return protection.rejectApiRequest(error, { target, peerAddress: socket.remoteAddress ?? "" });
}

/** Refuses a request that was read as far as its headers, and ends its connection. */
export function sendRefusal(response: ServerResponse, { status, headers, body }: Rejection): void {
  if (!response.req.complete) drainBeforeClosing(response.req);
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" }).end(body);
}

/** Refuses what could not be read as a request, and ends its connection. */
export function writeRefusal(socket: Socket, { status, headers, body }: Rejection): void {
  const lines = Object.entries({ ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
  setTimeout(() => socket.destroy(), DRAIN_MS).unref();
}
