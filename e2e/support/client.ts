import { expect } from "@playwright/test";
import { type Answer, type RawRequest, send } from "./http.ts";
import { findViolations } from "./openapi.ts";

export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface CallOptions {
  /** Another API key; null sends none. */
  readonly key?: string | null;
  readonly idempotencyKey?: string;
  /** Source address, told by X-Forwarded-For from a trusted peer (contract 1.6). */
  readonly source?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly localAddress?: string;
}

export interface Caller {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly source: string;
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** What each header of contract 1.5 has to look like; undefined: it is not there. */
const HEADERS: Readonly<Record<string, RegExp | undefined>> = {
  "x-ratelimit-limit": /^[1-9]\d*$/,
  "x-ratelimit-remaining": /^\d+$/,
  "x-ratelimit-reset": /^\d{10}$/,
  "x-request-id": /^\S+$/,
  "content-type": /^application\/json$/,
  "access-control-allow-origin": undefined,
  "set-cookie": undefined,
};

function findHeaderFaults({ headers }: Answer, sentAtSeconds: number): string[] {
  const faults = Object.entries(HEADERS).flatMap(([name, pattern]) => {
    const value = headers[name];
    return (pattern === undefined ? value === undefined : pattern.test(String(value))) ? [] : [`${name}: ${value}`];
  });
  return Number(headers["x-ratelimit-reset"]) < sentAtSeconds ? [...faults, "x-ratelimit-reset is past"] : faults;
}

/** Sends a request to the API and holds every answer to contract 1.5 and 1.2 and to the OpenAPI document. */
async function callApi(baseUrl: string, request: RawRequest): Promise<Answer> {
  const sentAtSeconds = Math.floor(Date.now() / 1000);
  const answer = await send(baseUrl, request);
  const differences = [...findHeaderFaults(answer, sentAtSeconds), ...findViolations(request, answer)];
  // One expectation for all: Playwright keeps a step, with its stack, for each.
  expect(differences, `${request.method} ${request.target} → ${answer.status} ${answer.text.slice(0, 300)}`).toEqual(
    [],
  );
  return answer;
}

function commonHeaders(caller: Caller, options: CallOptions): Record<string, string> {
  return {
    "x-forwarded-for": options.source ?? caller.source,
    ...(options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey }),
    ...options.headers,
  };
}

function query(fields: Fields): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

function fromPeer({ localAddress }: CallOptions) {
  return localAddress === undefined ? {} : { localAddress };
}

/** The path interface as one reseller calls it. */
export function pathClient(caller: Caller) {
  const headers = (options: CallOptions) => {
    const key = options.key === undefined ? caller.apiKey : options.key;
    return { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...commonHeaders(caller, options) };
  };
  return {
    get: (path: string, fields: Fields = {}, options: CallOptions = {}) =>
      callApi(caller.baseUrl, {
        method: "GET",
        target: `/api/v1${path}${Object.keys(fields).length > 0 ? `?${query(fields)}` : ""}`,
        headers: headers(options),
        ...fromPeer(options),
      }),
    post: (path: string, json: unknown, options: CallOptions = {}) =>
      callApi(caller.baseUrl, {
        method: "POST",
        target: `/api/v1${path}`,
        headers: { "content-type": JSON_TYPE, ...headers(options) },
        body: JSON.stringify(json),
        ...fromPeer(options),
      }),
    send: (request: RawRequest, options: CallOptions = {}) =>
      callApi(caller.baseUrl, {
        ...request,
        headers: { ...headers(options), ...request.headers },
        ...fromPeer(options),
      }),
  };
}

/** The dispatch interface as one reseller calls it. */
export function dispatchClient(caller: Caller) {
  const headers = (options: CallOptions) => {
    const key = options.key === undefined ? caller.apiKey : options.key;
    return { ...(key === null ? {} : { "x-api-key": key }), ...commonHeaders(caller, options) };
  };
  return {
    get: (endpoint: string, fields: Fields = {}, options: CallOptions = {}) =>
      callApi(caller.baseUrl, {
        method: "GET",
        target: `/api/v1/?${query({ endpoint, ...fields })}`,
        headers: headers(options),
        ...fromPeer(options),
      }),
    post: (endpoint: string, fields: Fields = {}, options: CallOptions = {}) =>
      callApi(caller.baseUrl, {
        method: "POST",
        target: `/api/v1/?endpoint=${endpoint}`,
        headers: { "content-type": FORM_TYPE, ...headers(options) },
        body: query(fields),
        ...fromPeer(options),
      }),
    send: (request: RawRequest, options: CallOptions = {}) =>
      callApi(caller.baseUrl, {
        ...request,
        headers: { ...headers(options), ...request.headers },
        ...fromPeer(options),
      }),
  };
}

export type PathClient = ReturnType<typeof pathClient>;
export type DispatchClient = ReturnType<typeof dispatchClient>;
