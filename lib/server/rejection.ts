import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { DomainError } from "#lib/domain/errors.ts";
import { isApiTarget, type Rejection, rejectPageRequest } from "#lib/http/reject-request.ts";
import { DRAIN_MS, drainBeforeClosing } from "./drain.ts";
import type { Protection } from "./protection.ts";

/** In the form of the request's target, or of the API if the target is unknown. */
export function buildRejection(protection: Protection, request: IncomingMessage, error: DomainError): Rejection {
  const { url: target = "", socket } = request;
  const isForPage = target.startsWith("/") && !isApiTarget(target) && error.code !== "http_unreadable";
  if (isForPage) return rejectPageRequest(error, protection.securityHeaders);
  return protection.rejectApiRequest(error, { target, peerAddress: socket.remoteAddress ?? "" });
}

/** Rejects a request after its headers, and ends its connection. */
export function sendRejection(response: ServerResponse, { status, headers, body }: Rejection): void {
  if (!response.req.complete) drainBeforeClosing(response.req);
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" }).end(body);
}

/** Rejects unreadable bytes, and ends the connection. */
export function writeRejection(socket: Socket, { status, headers, body }: Rejection): void {
  const lines = Object.entries({ ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
  setTimeout(() => socket.destroy(), DRAIN_MS).unref();
}
