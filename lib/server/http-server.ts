import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

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

/** A server that does not listen yet. Its parser is Node's strict one, so that no proxy before it reads otherwise. */
export function createHttpServer(handler: Handler): Server {
  return createServer(
    {
      keepAlive: true,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      insecureHTTPParser: false,
      requireHostHeader: true,
    },
    (request, response) => {
      if (normalizeTarget(request)) handler(request, response);
      else response.writeHead(400, { Connection: "close" }).end();
    },
  );
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
