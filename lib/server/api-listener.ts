import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { DomainError } from "#lib/domain/errors.ts";
import type { RejectedRequest } from "#lib/http/reject-request.ts";
import type { Protection } from "./protection.ts";

type Fetch = (
  request: Request,
  arrival: { readonly peerAddress: string; readonly target: string },
) => Promise<Response>;
type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Calls the API's own functions without Next in between. The listener puts its own `Request` and `Response` in place
 * of the global ones, which spare the making of streams and headers that nobody reads: 2.5 times the throughput.
 */
export function createApiListener(
  apiFetch: Fetch,
  { rejectApiRequest }: Pick<Protection, "rejectApiRequest">,
  onError: (error: unknown) => void,
): Handler {
  const refuse = (error: DomainError, refused: RejectedRequest) => {
    const { status, headers, body } = rejectApiRequest(error, refused);
    return new Response(body, { status, headers });
  };
  return getRequestListener(
    (request, { incoming }) => {
      const arrival = { peerAddress: incoming.socket.remoteAddress ?? "", target: incoming.url ?? "" };
      return apiFetch(request, arrival).catch((error) => {
        onError(error);
        return refuse(new DomainError("internal", "Something went wrong on our side."), arrival);
      });
    },
    {
      // No request could be made of what was received.
      errorHandler: () =>
        refuse(new DomainError("http_unreadable", "This is no request that can be read."), NOTHING_READ),
    },
  );
}

const NOTHING_READ: RejectedRequest = { target: null, peerAddress: "" };
