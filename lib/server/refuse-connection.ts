import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError } from "#lib/domain/errors.ts";
import type { Rejection } from "#lib/http/reject-request.ts";
import type { Protection } from "./protection.ts";
import { refusalOf, writeRefusal } from "./refusal.ts";

/** What Node's parser, or its clock, found wrong with what a client sent. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The bytes that were being read. */
  readonly rawPacket?: Buffer;
}

/** Answers what Node could not read, behind the answers that are under way, and ends the connection. */
export function createConnectionRefuser(protection: Protection): (socket: Socket, error: ClientError | null) => void {
  // Node reports each piece that still arrives.
  const refused = new WeakSet<Socket>();
  return (socket, error) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const domainError = toDomainError(error?.code);
    const unread = (target: string | null) =>
      protection.rejectApiRequest(domainError, { target, peerAddress: socket.remoteAddress ?? "" });
    const refuse = (refusal: () => Rejection) => {
      if (socket.writable) writeRefusal(socket, refusal());
      else socket.destroy();
    };
    const open = findOpenResponse(socket);
    if (open === null) refuse(() => unread(targetIn(error?.rawPacket)));
    else if (open.req.complete) open.once("close", () => refuse(() => unread(null)));
    // The rest of the request that is being answered is what could not be read.
    else if (open.headersSent) socket.destroy();
    else refuse(() => refusalOf(protection, open.req, domainError));
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
      return new DomainError("http_unreadable", "This is no HTTP request that can be read.");
  }
}

const REQUEST_LINE_BYTES = 2_048;

/** The target of the request with which the bytes begin; null where they begin otherwise. */
function targetIn(packet: Buffer | undefined): string | null {
  const text = packet?.toString("latin1", 0, REQUEST_LINE_BYTES) ?? "";
  return /^[A-Z]+ +(?:https?:\/\/[^/?#\s]*)?(\/\S*)/i.exec(text)?.[1] ?? null;
}

/** The answer that a connection is making, or about to make. */
function findOpenResponse(socket: Socket): ServerResponse | null {
  const response: unknown = Reflect.get(socket, "_httpMessage");
  return response instanceof ServerResponse ? response : null;
}
