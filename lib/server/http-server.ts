import { createServer, type RequestListener, type Server } from "node:http";
import { protectServer } from "./protect-server.ts";
import type { Protection } from "./protection.ts";

const MAX_HEADER_BYTES = 16 * 1024;
const TIMEOUT_CHECK_MS = 1_000;
const IDLE_SWEEP_MS = 50;

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

/** Stops accepting, lets requests in progress finish within `graceMs`, and closes the rest. */
export async function closeGracefully(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that becomes idle later would otherwise be kept alive.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
