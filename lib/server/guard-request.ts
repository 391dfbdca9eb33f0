import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import { TARGET_HEADER } from "#lib/domain/request-signature.ts";
import { PEER_HEADER } from "#lib/domain/source-address.ts";
import { MAX_BODY_BYTES as API_BODY_BYTES, isEncoded } from "#lib/http/read-body.ts";
import { isApiTarget } from "#lib/http/reject-request.ts";
import { actionFormOf } from "./action-request.ts";
import type { BodyBudget, BodyRules } from "./body-checker.ts";
import { bodyLimitOf, isJson } from "./body-limit.ts";
import { drain, drainBeforeClosing } from "./drain.ts";
import type { Protection } from "./protection.ts";
import { receiveBody } from "./receive-body.ts";
import { refusalOf, sendRefusal } from "./refusal.ts";
import { findUnusable, normalizeTarget } from "./request-target.ts";

/** Requests on one connection that wait for the answer to an earlier one. */
const MAX_WAITING_REQUESTS = 50;

/**
 * Looks at each request before anybody else does. Bodies for pages and server actions are received whole and checked
 * before the request is handed on: Next would parse them first. The API's functions read bodies within their own bounds.
 */
export function createRequestGuard(protection: Protection, handOn: RequestListener): RequestListener {
  const budget: BodyBudget = { heldBytes: 0, maxBytes: protection.maxHeldBodyBytes };
  const ownHeaders = Object.entries(protection.securityHeaders);
  return (request, response) => {
    response.on("timeout", endIfStalled);
    const refuse = (error: DomainError) => sendRefusal(response, refusalOf(protection, request, error));
    normalizeTarget(request);
    const unusable = findUnusable(request);
    if (unusable) {
      refuse(unusable);
      return;
    }
    stamp(request);
    if (isApiTarget(request.url ?? "")) {
      dropNextHeaders(request);
      boundRest(response);
      inTurn(response, () => handOn(request, response));
      return;
    }
    for (const [name, value] of ownHeaders) response.setHeader(name, value);
    if (isEncoded(request.headers["content-encoding"])) {
      refuse(new DomainError("media_type_unsupported", "Send the body without a content encoding."));
      return;
    }
    try {
      const rules = bodyRulesOf(request, budget);
      receiveBody(response, rules, () => inTurn(response, () => handOn(request, response)), refuse);
    } catch (error) {
      if (!isDomainError(error)) throw error;
      refuse(error);
    }
  };
}

/** @throws DomainError for a call of a server action that no page makes */
function bodyRulesOf(request: IncomingMessage, budget: BodyBudget): BodyRules {
  const { method, headers, url = "" } = request;
  const { "content-type": contentType = "" } = headers;
  const callsAction = method === "POST" && !url.startsWith("/api/");
  return {
    maxBytes: bodyLimitOf(request),
    json: isJson(contentType),
    action: callsAction ? actionFormOf(headers) : null,
    contentType,
    budget,
  };
}

/** Next answers some of its own headers with redirects, whatever they are sent to. */
function dropNextHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (name === "rsc" || name.startsWith("next-")) delete headers[name];
}

/** What the API leaves unread of a body may be of any size. */
function boundRest(response: ServerResponse): void {
  const { req: request } = response;
  const { headers, socket } = request;
  if (Number(headers["content-length"] ?? 0) > API_BODY_BYTES) {
    // It will be refused, if nothing else is wrong with it.
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
 * Route handlers never see the socket, and Next normalizes their request's URL: the headers say who really called
 * (contract 1.6), and for what as it was sent, which a signature covers (contract 3.14). What the client sent under
 * these names is overwritten.
 */
function stamp(request: IncomingMessage): void {
  request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "";
  request.headers[TARGET_HEADER] = request.url ?? "";
}

const waitingRequests = new WeakMap<Socket, number>();

/** Of requests that a client sends ahead of the answers, one is handed on at a time. */
function inTurn(response: ServerResponse, handOn: () => void): void {
  // A response has its connection once all earlier ones are sent.
  if (response.socket !== null) {
    handOn();
    return;
  }
  const { socket } = response.req;
  const waiting = (waitingRequests.get(socket) ?? 0) + 1;
  if (waiting > MAX_WAITING_REQUESTS) {
    socket.destroy();
    return;
  }
  waitingRequests.set(socket, waiting);
  response.once("socket", () => {
    waitingRequests.set(socket, (waitingRequests.get(socket) ?? 1) - 1);
    handOn();
  });
}

/** Where nothing waits, it is the answer that takes its time, and not the client. */
function endIfStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.resetAndDestroy();
}
