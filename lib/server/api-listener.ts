import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { DomainError } from "#lib/domain/errors.ts";
import type { RejectedRequest } from "#lib/http/reject-request.ts";
import type { Arrival } from "#lib/http/source.ts";
import type { Protection } from "./protection.ts";

type Fetch = (request: Request, arrival: Arrival) => Promise<Response>;
type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Calls the API's handlers without Next. The listener replaces the global `Request` and `Response` with its own, which
 * avoid creating streams and headers that nobody reads.
 */
export function createApiListener(
  apiFetch: Fetch,
  { rejectApiRequest }: Pick<Protection, "rejectApiRequest">,
  onError: (error: unknown) => void,
): Handler {
  const reject = (error: DomainError, rejected: RejectedRequest) => {
    const { status, headers, body } = rejectApiRequest(error, rejected);
    return new Response(body, { status, headers });
  };
  return getRequestListener(
    (request, { incoming }) => {
      const arrival = { peerAddress: incoming.socket.remoteAddress ?? "", target: incoming.url ?? "" };
      return apiFetch(request, arrival).catch((error) => {
        onError(error);
        return reject(new DomainError("internal", "Something went wrong on our side."), arrival);
      });
    },
    {
      // The request could not be parsed.
      errorHandler: () => reject(new DomainError("http_unreadable", "The request is not readable HTTP."), NOTHING_READ),
    },
  );
}

const NOTHING_READ: RejectedRequest = { target: null, peerAddress: "" };
