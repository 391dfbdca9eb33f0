import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

const KEEP_ALIVE_MS = 65_000;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_SWEEP_MS = 50;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The port is another program's. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
  constructor(host: string, port: number) {
    super(`Port ${port} on ${host} is taken by another program: stop it, or set PORT to a free one.`);
  }
}

/**
 * Brings the request target to its usual form, `/path?query`: proxies may send a whole URL. False for a target that
 * names nothing here, such as the `*` of OPTIONS.
 */
function normalizeTarget(request: IncomingMessage): boolean {
  const target = request.url ?? "";
  if (target.startsWith("/")) return true;
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (origin === undefined) return false;
  const path = target.slice(origin.length);
  request.url = path.startsWith("/") ? path : `/${path}`;
  return true;
}

/**
 * A server that does not listen yet. Its parser is Node's strict one, so that no proxy before it reads otherwise.
 *
 * @param options.sendTimeoutMs a connection that takes no byte of a waiting answer for so long, up to twice as long, is
 *   ended, which ends the making of the answer. One that takes some is left alone, however slow it is.
 */
export function createHttpServer(handler: Handler, options: { readonly sendTimeoutMs: number }): Server {
  const server = createServer(
    {
      keepAlive: true,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      insecureHTTPParser: false,
      requireHostHeader: true,
    },
    (request, response) => {
      response.on("timeout", endIfStalled);
      if (normalizeTarget(request)) handler(request, response);
      else response.writeHead(400, { Connection: "close" }).end();
    },
  );
  // Node's timer of a connection: each byte begins it anew, and so does its end where less waits to be sent than before.
  server.timeout = options.sendTimeoutMs;
  return server;
}

/** Where nothing waits, it is the answer that takes its time, and not the client. */
function endIfStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.resetAndDestroy();
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

/** Accepts nothing new, lets requests under way end within `graceMs`, and closes what then is left. */
export async function closeGracefully(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that turns idle later would otherwise be kept alive for its next request.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
