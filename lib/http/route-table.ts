import { dispatchInterface, findOperation } from "./dispatch-api/interface.ts";
import type { Target } from "./endpoint.ts";
import { handleApiRequest } from "./handle.ts";
import { findPathTarget, pathInterface } from "./path-api/interface.ts";
import { type Arrival, readArrivalHeaders } from "./source.ts";

const BASE = "/api/v1";

type Handler = (request: Request) => Promise<Response>;

/** Every method that Next routes: for an unexported one Next would respond itself (contract 1.4). */
type Handlers = Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>>;

/** Exports of a route file that answers every method itself. */
export function allMethods(handler: Handler): Handlers {
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

/** Exports of the route file below `app/api/v1`. */
export const apiHandlers: Handlers = allMethods((request) => apiFetch(request, readArrivalHeaders(request)));

/** Handles every request at or below `/api/v1`. */
export function apiFetch(request: Request, arrival: Arrival): Promise<Response> {
  const url = new URL(request.url);
  const isDispatch = url.pathname === BASE || url.pathname === `${BASE}/`;
  return isDispatch
    ? handleApiRequest(request, url, dispatchInterface, findOperation, arrival)
    : handleApiRequest(request, url, pathInterface, findTarget, arrival);
}

/** Dot segments may lead out of the API, where nothing is ours. */
function findTarget({ pathname }: URL): Target {
  return pathname.startsWith(`${BASE}/`) ? findPathTarget(pathname.slice(BASE.length)) : null;
}
