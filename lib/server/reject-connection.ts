import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError } from "#lib/domain/errors.ts";
import type { Rejection } from "#lib/http/reject-request.ts";
import type { Protection } from "./protection.ts";
import { buildRejection, writeRejection } from "./rejection.ts";

/** An error of Node's parser or its timer. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The bytes being parsed. */
  readonly rawPacket?: Buffer;
}

/** Responds to unreadable bytes, after responses in progress, and ends the connection. */
export function createConnectionRejecter(protection: Protection): (socket: Socket, error: ClientError | null) => void {
  // Node reports every further chunk.
  const rejected = new WeakSet<Socket>();
  return (socket, error) => {
    if (rejected.has(socket)) return;
    rejected.add(socket);
    const domainError = toDomainError(error?.code);
    protection.connectionRejected(domainError.code === "request_timeout" ? "timeout" : "unreadable");
    const unread = (target: string | null) =>
      protection.rejectApiRequest(domainError, { target, peerAddress: socket.remoteAddress ?? "" });
    const reject = (rejection: () => Rejection) => {
      if (socket.writable) writeRejection(socket, rejection());
      else socket.destroy();
    };
    const open = findOpenResponse(socket);
    if (open === null) reject(() => unread(targetIn(error?.rawPacket)));
    else if (open.req.complete) open.once("close", () => reject(() => unread(null)));
    // The unreadable part belongs to the request being served.
    else if (open.headersSent) socket.destroy();
    else reject(() => buildRejection(protection, open.req, domainError));
  };
}

function toDomainError(code: string | undefined): DomainError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new DomainError("headers_too_large", "The headers are larger than 16 KiB.");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new DomainError("body_too_large", "The chunk extensions of the body are too large.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new DomainError("request_timeout", "The request took too long to arrive.");
    default:
      return new DomainError("http_unreadable", "The request is not readable HTTP.");
  }
}

const REQUEST_LINE_BYTES = 2_048;

/** The target of the request at the start of the bytes, or null. */
function targetIn(packet: Buffer | undefined): string | null {
  const text = packet?.toString("latin1", 0, REQUEST_LINE_BYTES) ?? "";
  return /^[A-Z]+ +(?:https?:\/\/[^/?#\s]*)?(\/\S*)/i.exec(text)?.[1] ?? null;
}

/** The response in progress or next on a connection. */
function findOpenResponse(socket: Socket): ServerResponse | null {
  const response: unknown = Reflect.get(socket, "_httpMessage");
  return response instanceof ServerResponse ? response : null;
}
