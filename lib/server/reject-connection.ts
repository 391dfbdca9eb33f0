import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError } from "#lib/domain/errors.ts";
import type { Rejection } from "#lib/http/reject-request.ts";
import { findLastWaitingResponse } from "./guard-request.ts";
import type { Protection } from "./protection.ts";
import { buildRejection, writeRejection } from "./rejection.ts";

/** An error of Node's parser or its timer. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The bytes being parsed. */
  readonly rawPacket?: Buffer;
}

/** Responds to unreadable bytes, after responses to earlier requests, and ends the connection. */
export function createConnectionRejecter(protection: Protection): (socket: Socket, error: ClientError | null) => void {
  // Node reports every further chunk.
  const rejected = new WeakSet<Socket>();
  const rejectConnection = (socket: Socket, error: ClientError | null) => {
    if (rejected.has(socket)) return;
    const domainError = toDomainError(error?.code);
    const waiting = findLastWaitingResponse(socket);
    if (domainError.code === "request_timeout" && waiting && !waiting.req.complete) {
      // The server has not read it. Node reports the timeout only once.
      waiting.once("socket", () => {
        setTimeout(() => {
          if (!waiting.req.complete && !socket.destroyed) rejectConnection(socket, error);
        }, protection.receiveTimeoutMs).unref();
      });
      return;
    }
    rejected.add(socket);
    protection.connectionRejected(domainError.code === "request_timeout" ? "timeout" : "unreadable");
    const reject = (rejection: () => Rejection) => {
      if (socket.writable) writeRejection(socket, rejection());
      else socket.destroy();
    };
    const rejectInTurn = (target: string | null) => {
      const open = findOpenResponse(socket);
      if (open === null) {
        reject(() => protection.rejectApiRequest(domainError, { target, peerAddress: socket.remoteAddress ?? "" }));
      } else if (open.req.complete) open.once("close", () => rejectInTurn(null));
      // The unreadable part belongs to the request being served.
      else if (open.headersSent) socket.destroy();
      else reject(() => buildRejection(protection, open.req, domainError));
    };
    rejectInTurn(targetIn(error?.rawPacket));
  };
  return rejectConnection;
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
