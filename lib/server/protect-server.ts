import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError } from "#lib/domain/errors.ts";
import { limitConnections } from "./connection-limit.ts";
import { createRequestGuard, queueResponse } from "./guard-request.ts";
import type { Protection } from "./protection.ts";
import { type ClientError, createConnectionRejecter } from "./reject-connection.ts";
import { buildRejection, sendRejection } from "./rejection.ts";

const MAX_HEADERS_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 65_000;

const PROTECTED = Symbol.for("license-desk.protected-server");

export function isProtected(server: Server): boolean {
  return PROTECTED in server;
}

/**
 * Limits what any client can cost, for our own server and for a stock Next server. Errors of Node's parser get a
 * response in the form of the API.
 */
export function protectServer(server: Server, protection: Protection): void {
  const { receiveTimeoutMs, sendTimeoutMs } = protection;
  Object.assign(server, {
    [PROTECTED]: true,
    headersTimeout: Math.min(MAX_HEADERS_TIMEOUT_MS, receiveTimeoutMs),
    requestTimeout: receiveTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node's connection timer: restarts with each byte and when less data waits to be sent than before.
    timeout: sendTimeoutMs,
    // By default, Node drops headers after the 2,000th; the size limit applies instead.
    maxHeadersCount: 0,
    // We reject it ourselves, in the form of the API.
    requireHostHeader: false,
  });
  // Upgrade requests are served normally (contract 1.7). Only the development server uses upgrades.
  if (process.env.NODE_ENV !== "development") Object.assign(server, { shouldUpgradeCallback: () => false });
  limitConnections(server, protection);

  const listeners = server.listeners("request");
  const guard = createRequestGuard(protection, (request, response) => {
    for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  });
  server.removeAllListeners("request").on("request", guard);
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    if (!queueResponse(response)) return;
    const error = new DomainError("expectation_failed", "The header Expect has an unsupported value.");
    sendRejection(response, buildRejection(protection, request, error));
  });
  const rejectConnection = createConnectionRejecter(protection);
  server.on("connect", (_: IncomingMessage, socket: Socket) => rejectConnection(socket, null));
  server.on("clientError", (error: ClientError, socket: Socket) => rejectConnection(socket, error));
}
