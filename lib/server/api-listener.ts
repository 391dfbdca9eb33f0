import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";

type Fetch = (
  request: Request,
  arrival: { readonly peerAddress: string; readonly target: string },
) => Promise<Response>;
type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const API_PATH = "/api/v1";

/** True for `/api/v1` and everything below it, as sent: nothing is decoded or normalized. */
export function isApiRequest(request: IncomingMessage): boolean {
  const target = request.url ?? "/";
  if (!target.startsWith(API_PATH)) return false;
  const next = target.charAt(API_PATH.length);
  return next === "" || next === "/" || next === "?";
}

/**
 * Calls the API's own functions without Next in between. The listener puts its own `Request` and `Response` in place
 * of the global ones, which spare the making of streams and headers that nobody reads: 2.5 times the throughput.
 */
export function createApiListener(apiFetch: Fetch, onError: (error: unknown) => void): Handler {
  return getRequestListener(
    (request, { incoming }) =>
      apiFetch(request, { peerAddress: incoming.socket.remoteAddress ?? "", target: incoming.url ?? "" }),
    {
      errorHandler: (error) => {
        // A Host header or a request target that makes no URL: there is no request to hand to the API.
        if (error instanceof RequestError) return new Response(null, { status: 400, headers: { connection: "close" } });
        onError(error);
        return new Response(null, { status: 500 });
      },
    },
  );
}
