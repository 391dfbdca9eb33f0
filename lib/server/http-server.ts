import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Server as SocketServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { protectServer } from "./protect-server.ts";
import type { Protection } from "./protection.ts";

const MAX_HEADER_BYTES = 16 * 1024;
const TIMEOUT_CHECK_MS = 1_000;
const IDLE_SWEEP_MS = 50;
const ACCEPT_WITHIN_MS = 500;
const QUIET_TURN_MS = 0.1;
/** Connections in use are ended by their next answer within this time. */
export const LAST_ANSWERS_MS = 250;

/** Another program uses the port. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
  constructor(host: string, port: number) {
    super(`Port ${port} on ${host} is used by another program: stop it, or set PORT to a free one.`);
  }
}

/**
 * A server that does not listen yet. It uses Node's strict parser, so no proxy in front interprets a request
 * differently.
 */
export function createHttpServer(handler: RequestListener, protection: Protection): Server {
  const server = createServer(
    {
      keepAlive: true,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    handler,
  );
  protectServer(server, protection);
  return server;
}

/** @throws PortTakenError */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new PortTakenError(host, port) : error);
    });
    server.listen(port, host, resolve);
  });
}

/**
 * Stops accepting, lets requests in progress finish within `graceMs`, and closes the rest. A connection that a proxy uses
 * is ended by an answer that says so: closing it between two answers would lose the request that is on its way.
 */
export async function closeGracefully(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  server.prependListener("request", (_, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  await acceptWaiting(server);
  // Not the HTTP server's own `close`, which ends all idle connections at once.
  const closed = new Promise<void>((resolve) => {
    SocketServer.prototype.close.call(server, () => resolve());
  });
  let sweep: NodeJS.Timeout | undefined;
  // What has arrived is read before `setImmediate`: a connection with an unread request would be closed, too.
  const closeIdle = () => setImmediate(() => server.closeIdleConnections());
  const lastAnswers = setTimeout(() => {
    closeIdle();
    // A connection that becomes idle later would otherwise be kept alive.
    sweep = setInterval(closeIdle, IDLE_SWEEP_MS);
  }, LAST_ANSWERS_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(lastAnswers);
  clearInterval(sweep);
  clearTimeout(deadline);
}

/**
 * When a server stops listening, the kernel resets connections that wait to be accepted, with the requests they sent.
 * Node accepts one in each turn of its event loop, so it goes on until a turn accepts none and is too short for others to arrive.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on("connection", count);
  for (const endsAtMs = performance.now() + ACCEPT_WITHIN_MS; performance.now() < endsAtMs; ) {
    const [acceptedBefore, startedAtMs] = [accepted, performance.now()];
    await nextTurn();
    if (accepted === acceptedBefore && performance.now() - startedAtMs < QUIET_TURN_MS) break;
  }
  server.off("connection", count);
}
