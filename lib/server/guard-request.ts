import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import { TARGET_HEADER } from "#lib/domain/request-signature.ts";
import { PEER_HEADER } from "#lib/domain/source-address.ts";
import { MAX_BODY_BYTES as API_BODY_BYTES, isEncoded } from "#lib/http/read-body.ts";
import { isApiTarget } from "#lib/http/reject-request.ts";
import { isActionCall } from "./action-request.ts";
import type { BodyBudget, BodyRules } from "./body-checker.ts";
import { findBodyLimit, isJson } from "./body-limit.ts";
import { drain, drainBeforeClosing, hasSentLastResponse } from "./drain.ts";
import { observePage } from "./observe-page.ts";
import { reportOutageStatus } from "./page-request.ts";
import type { Protection } from "./protection.ts";
import { receiveBody } from "./receive-body.ts";
import { buildRejection, sendRejection } from "./rejection.ts";
import {
  escapeMalformedPath,
  findMethodProblem,
  findRequestProblem,
  normalizeTarget,
  pageMethods,
} from "./request-target.ts";

/** Known to this server's processes alone: what carries it comes from one of them. */
const SEAL_HEADER = "x-license-desk-seal";

/** Next repeats the address in the headers of a redirect, which clients read up to 16 KiB. */
const MAX_PAGE_TARGET_BYTES = 8_192;

/** Pipelined requests that may wait on one connection. */
const MAX_WAITING_REQUESTS = 50;

/**
 * Checks every request first. Bodies for pages and server actions are received and checked completely before the
 * request is passed on, because Next would parse them first. The API's handlers bound their bodies themselves.
 */
export function createRequestGuard(protection: Protection, passOn: RequestListener): RequestListener {
  const budget: BodyBudget = { heldBytes: 0, maxBytes: protection.maxHeldBodyBytes };
  const ownHeaders = Object.entries(protection.securityHeaders);
  return (request, response) => {
    if (hasSentLastResponse(request.socket)) {
      request.resume();
      return;
    }
    if (!queueResponse(response)) return;
    response.on("timeout", endIfStalled);
    const reject = (error: DomainError) => sendRejection(response, buildRejection(protection, request, error));
    normalizeTarget(request);
    const unusable = findRequestProblem(request);
    if (unusable) {
      reject(unusable);
      return;
    }
    setConnectionHeaders(request, protection.seal);
    if (protection.answerMonitoring(request, response)) {
      limitUnreadBody(response);
      return;
    }
    const isForApi = isApiTarget(request.url ?? "");
    if (!isForApi) observePage(response, protection);
    const misused = findMethodProblem(request, isForApi ? protection.apiMethods : pageMethods(request));
    if (misused) {
      reject(misused);
      return;
    }
    if (isForApi) {
      dropNextHeaders(request);
      limitUnreadBody(response);
      passOnInOrder(response, () => passOn(request, response));
      return;
    }
    if ((request.url ?? "").length > MAX_PAGE_TARGET_BYTES) {
      reject(new DomainError("headers_too_large", `The address is longer than ${MAX_PAGE_TARGET_BYTES} bytes.`));
      return;
    }
    escapeMalformedPath(request);
    for (const [name, value] of ownHeaders) response.setHeader(name, value);
    if (isEncoded(request.headers["content-encoding"])) {
      reject(new DomainError("media_type_unsupported", "Send the body without a content encoding."));
      return;
    }
    try {
      const rules = findBodyRules(request, budget);
      const handle = () => reportOutageStatus(response, () => passOn(request, response));
      receiveBody(response, rules, () => passOnInOrder(response, handle), reject);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      reject(error);
    }
  };
}

/** @throws DomainError for a server action call that no page makes */
function findBodyRules(request: IncomingMessage, budget: BodyBudget): BodyRules {
  const { method, headers, url = "" } = request;
  const { "content-type": contentType = "" } = headers;
  return {
    maxBytes: findBodyLimit(request),
    json: isJson(contentType),
    callsAction: method === "POST" && !url.startsWith("/api/") && isActionCall(headers),
    budget,
  };
}

/** Next responds to some of its own headers with redirects on any path. */
function dropNextHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (name === "rsc" || name.startsWith("next-")) delete headers[name];
}

/** The part of a body that the API does not read may have any size. */
function limitUnreadBody(response: ServerResponse): void {
  const { req: request } = response;
  const { headers, socket } = request;
  if (Number(headers["content-length"] ?? 0) > API_BODY_BYTES) {
    // It will be rejected unless something else is wrong with it.
    response.setHeader("Connection", "close");
    drainBeforeClosing(request);
  } else if (headers["transfer-encoding"] !== undefined) {
    const { close } = drainBeforeClosing(request);
    response.once("finish", () => {
      if (!request.complete) drain(request, socket, () => request.complete || close());
    });
  }
}

/**
 * Route handlers never see the socket, and Next normalizes the URL of their request. These headers carry the peer
 * (contract 1.6) and the target as sent, which a signature covers (contract 3.14). They overwrite what the client sent.
 * Next sends an action's call on to a page that has the action, by a request to this server with the same headers: its
 * peer is the first one's.
 */
function setConnectionHeaders({ headers, socket, url }: IncomingMessage, seal: string): void {
  if (headers[SEAL_HEADER] !== seal) headers[PEER_HEADER] = socket.remoteAddress ?? "";
  headers[SEAL_HEADER] = seal;
  headers[TARGET_HEADER] = url ?? "";
  // Next would speak https to this server.
  delete headers["x-forwarded-proto"];
  // Its request would fail. The header is ignored anyway (contract 1.7).
  delete headers.upgrade;
}

/** Responses of each connection that wait for earlier ones. */
const waitingResponses = new WeakMap<Socket, ServerResponse[]>();

/** The connection is not read until this response has its turn. */
export function findLastWaitingResponse(socket: Socket): ServerResponse | null {
  return waitingResponses.get(socket)?.at(-1) ?? null;
}

/**
 * Reads no more of a connection while one of its responses waits, so pipelined bodies do not pile up in memory. Returns
 * whether the request may be handled.
 */
export function queueResponse(response: ServerResponse): boolean {
  if (hasTurn(response)) return true;
  const { socket } = response.req;
  const known = waitingResponses.get(socket);
  const waiting = known ?? [];
  if (waiting.length === MAX_WAITING_REQUESTS) {
    socket.destroy();
    return false;
  }
  waiting.push(response);
  if (!known) {
    waitingResponses.set(socket, waiting);
    socket.on("resume", pauseIfQueued);
  }
  socket.pause();
  response.once("socket", () => {
    waiting.shift();
    if (waiting.length === 0) socket.resume();
  });
  return true;
}

/** Node resumes a connection at the end of each request. The event stops reading even if the stream is paused again. */
function pauseIfQueued(this: Socket): void {
  if (findLastWaitingResponse(this) === null || hasSentLastResponse(this)) return;
  this.pause();
  this.emit("pause");
}

/** A response gets its connection once all earlier ones are sent. */
const hasTurn = (response: ServerResponse) => response.socket !== null;

/** Passes on pipelined requests one at a time. */
function passOnInOrder(response: ServerResponse, passOn: () => void): void {
  if (hasTurn(response)) passOn();
  else response.once("socket", passOn);
}

/** With nothing to send, the server is slow, not the client. */
function endIfStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.resetAndDestroy();
}
