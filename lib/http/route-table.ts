import { dispatchInterface, findOperation } from "./dispatch-api/interface.ts";
import type { Target } from "./endpoint.ts";
import { handleApiRequest } from "./handle.ts";
import { findPathTarget, pathInterface } from "./path-api/interface.ts";

const BASE = "/api/v1";

type Handler = (request: Request) => Promise<Response>;

/** Every method that Next lets a route export: an unexported one would get Next's own answer (decisions 1.4). */
type Handlers = Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>>;

function allMethods(handler: Handler): Handlers {
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}

/** What a route file of `app/api/v1` exports. */
export const dispatchHandlers: Handlers = allMethods((request) => answerDispatch(request, new URL(request.url), null));
export const pathHandlers: Handlers = allMethods((request) => answerPath(request, new URL(request.url), null));

function answerDispatch(request: Request, url: URL, peerAddress: string | null): Promise<Response> {
  return handleApiRequest(request, url, dispatchInterface, findOperation, peerAddress);
}

function answerPath(request: Request, url: URL, peerAddress: string | null): Promise<Response> {
  return handleApiRequest(request, url, pathInterface, findTarget, peerAddress);
}

function findTarget({ pathname }: URL): Target {
  return findPathTarget(pathname.slice(BASE.length));
}

/** Answers whatever is at or below `/api/v1`, for a server that knows the socket's peer. */
export function apiFetch(request: Request, peerAddress: string): Promise<Response> {
  const url = new URL(request.url);
  const isDispatch = url.pathname === BASE || url.pathname === `${BASE}/`;
  return isDispatch ? answerDispatch(request, url, peerAddress) : answerPath(request, url, peerAddress);
}
