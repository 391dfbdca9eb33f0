import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError } from "#lib/domain/errors.ts";
import { limitConnections } from "./connection-limit.ts";
import { createRequestGuard } from "./guard-request.ts";
import type { Protection } from "./protection.ts";
import { refusalOf, sendRefusal } from "./refusal.ts";
import { type ClientError, createConnectionRefuser } from "./refuse-connection.ts";

const MAX_HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;

const PROTECTED = Symbol.for("license-desk.protected-server");

export function isProtected(server: Server): boolean {
  return PROTECTED in server;
}

/**
 * Bounds what any client can cost, whoever listens for requests behind it: our own server, or a stock Next server.
 * What Node refuses by itself is answered in the form of the API.
 */
export function protectServer(server: Server, protection: Protection): void {
  const { receiveTimeoutMs, sendTimeoutMs } = protection;
  Object.assign(server, {
    [PROTECTED]: true,
    headersTimeout: Math.min(MAX_HEADERS_TIMEOUT_MS, receiveTimeoutMs),
    requestTimeout: receiveTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node's timer of a connection: each byte begins it anew, and so does its end where less waits to be sent than before.
    timeout: sendTimeoutMs,
    // By default Node drops what is beyond 2,000 headers; the limit of their size is the one that counts.
    maxHeadersCount: 0,
    // Ours to refuse, in the form of the API.
    requireHostHeader: false,
  });
  // A header that asks for another protocol is ignored, and the request answered as it is (contract 1.7). Only the
  // development server has a use for it.
  if (process.env.NODE_ENV !== "development") Object.assign(server, { shouldUpgradeCallback: () => false });
  limitConnections(server, protection);

  const listeners = server.listeners("request");
  const guard = createRequestGuard(protection, (request, response) => {
    for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  });
  server.removeAllListeners("request").on("request", guard);
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const error = new DomainError("expectation_failed", "The header Expect asks for something that is not known here.");
    sendRefusal(response, refusalOf(protection, request, error));
  });
  const refuseConnection = createConnectionRefuser(protection);
  server.on("connect", (_: IncomingMessage, socket: Socket) => refuseConnection(socket, null));
  server.on("clientError", (error: ClientError, socket: Socket) => refuseConnection(socket, error));
}
