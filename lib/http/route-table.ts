import { dispatchInterface, findOperation } from "./dispatch-api/interface.ts";
import type { Target } from "./endpoint.ts";
import { handleApiRequest } from "./handle.ts";
import { findPathTarget, pathInterface } from "./path-api/interface.ts";
import { type Arrival, stampedArrival } from "./source.ts";

const BASE = "/api/v1";

type Handler = (request: Request) => Promise<Response>;

/** Every method that Next lets a route export: an unexported one would get Next's own answer (contract 1.4). */
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
export const dispatchHandlers: Handlers = allMethods((request) =>
  answerDispatch(request, new URL(request.url), stampedArrival(request)),
);
export const pathHandlers: Handlers = allMethods((request) =>
  answerPath(request, new URL(request.url), stampedArrival(request)),
);

function answerDispatch(request: Request, url: URL, arrival: Arrival): Promise<Response> {
  return handleApiRequest(request, url, dispatchInterface, findOperation, arrival);
}

function answerPath(request: Request, url: URL, arrival: Arrival): Promise<Response> {
  return handleApiRequest(request, url, pathInterface, findTarget, arrival);
}

/** Dots in a path may lead out of the API: there is nothing of ours. */
function findTarget({ pathname }: URL): Target {
  return pathname.startsWith(`${BASE}/`) ? findPathTarget(pathname.slice(BASE.length)) : null;
}

/** Answers whatever is at or below `/api/v1`, for a server that knows how the request came. */
export function apiFetch(request: Request, arrival: Arrival): Promise<Response> {
  const url = new URL(request.url);
  const isDispatch = url.pathname === BASE || url.pathname === `${BASE}/`;
  return isDispatch ? answerDispatch(request, url, arrival) : answerPath(request, url, arrival);
}
