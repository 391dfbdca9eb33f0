import { expect } from "@playwright/test";
import { type Answer, type RawRequest, send } from "./http.ts";
import { expectDocumented } from "./openapi.ts";
import { expectNoViolations } from "./prism.ts";

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

/** Sends a request to the API and holds every answer to contract 1.5 and 1.2 and to the OpenAPI document. */
async function callApi(baseUrl: string, request: RawRequest): Promise<Answer> {
  const sentAtSeconds = Math.floor(Date.now() / 1000);
  const answer = await send(baseUrl, request);
  const { headers } = answer;
  const where = `${request.method} ${request.target} → ${answer.status} ${answer.text.slice(0, 200)}`;
  expect(headers["x-ratelimit-limit"], where).toMatch(/^[1-9]\d*$/);
  expect(headers["x-ratelimit-remaining"], where).toMatch(/^\d+$/);
  expect(headers["x-ratelimit-reset"], where).toMatch(/^\d{10}$/);
  expect(Number(headers["x-ratelimit-reset"]), where).toBeGreaterThanOrEqual(sentAtSeconds);
  expect(headers["x-request-id"], where).toMatch(/^\S+$/);
  expect(headers["content-type"], where).toBe(JSON_TYPE);
  expect(headers["access-control-allow-origin"], where).toBeUndefined();
  expect(headers["set-cookie"], where).toBeUndefined();
  expectDocumented(request, answer);
  expectNoViolations(request, answer);
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
