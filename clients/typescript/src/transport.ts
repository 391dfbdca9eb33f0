import { ConnectionError, type ErrorFields, LicenseDeskError, TimeoutError } from "./errors.ts";
import { retryDelayMs, sleep } from "./retry.ts";
import { parseRetryAfter } from "./retry-after.ts";
import { operations } from "./schema.ts";
import { signRequest } from "./signature.ts";

export interface ClientOptions {
  /** The installation, such as `https://desk.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** `lss_…`, of a key that may or must sign its requests. */
  readonly signingSecret?: string;
  /** For each attempt; default: 30 seconds. */
  readonly timeoutMs?: number;
  /** Attempts after the first; default: 4. */
  readonly maxRetries?: number;
  /** For all waits between a call's attempts together; default: a minute, in which a rate limit ends. */
  readonly maxWaitMs?: number;
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Overrides the client's. */
  readonly timeoutMs?: number;
  /** Overrides the client's. */
  readonly maxRetries?: number;
  /** Overrides the client's. */
  readonly maxWaitMs?: number;
  readonly signal?: AbortSignal;
}

export interface ChangeOptions extends CallOptions {
  /** Identifies this change for 24 hours: any number of calls with it have one outcome. Default: a new one. */
  readonly idempotencyKey?: string;
}

export type OperationId = keyof typeof operations;
export type Params = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** @param wasUnclear an earlier request left the outcome of the change open */
export type Transport = (
  id: OperationId,
  params: Params,
  options: ChangeOptions,
  wasUnclear?: boolean,
) => Promise<Answer>;

export const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 4;
const DEFAULT_MAX_WAIT_MS = 60_000;
const DISPATCH = "/dispatch/";

export const isDispatch = (id: OperationId) => operations[id].path.startsWith(DISPATCH);

/** Sends operations and repeats failed attempts of a change under one idempotency key. */
export function createTransport(client: ClientOptions): Transport {
  const api = `${client.baseUrl.replace(/(?:\/api\/v1)?\/*$/, "")}/api/v1`;
  const send = client.fetch ?? fetch;

  async function attempt(
    id: OperationId,
    request: Request,
    options: ChangeOptions,
    wasUnclear: boolean,
  ): Promise<Answer> {
    const { signal, timeoutMs = client.timeoutMs ?? DEFAULT_TIMEOUT_MS, idempotencyKey } = options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const context = { idempotencyKey: idempotencyKey ?? null, wasUnclear };
    const { url, method, headers, body } = request;
    const signature = client.signingSecret ? await signRequest(client.signingSecret, method, url, body) : null;
    try {
      const response = await send(url, {
        method,
        headers: signature === null ? headers : { ...headers, "X-Signature": signature },
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return readAnswer(id, response, await response.text(), context);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof LicenseDeskError) throw cause;
      if (timeout.aborted) throw new TimeoutError(`No answer within ${timeoutMs} ms.`, { ...context, cause });
      throw new ConnectionError("The connection to License Desk failed.", { ...context, cause });
    }
  }

  return async (id, params, { idempotencyKey, ...options }, wasUnclear = false) => {
    // A dry run changes nothing.
    const isChange = operations[id].takesKey && params.dry_run !== true;
    const key = isChange ? { idempotencyKey: idempotencyKey ?? crypto.randomUUID() } : {};
    const request = toRequest(api, client.apiKey, id, params, key.idempotencyKey);
    const maxRetries = options.maxRetries ?? client.maxRetries ?? DEFAULT_MAX_RETRIES;
    let leftMs = options.maxWaitMs ?? client.maxWaitMs ?? DEFAULT_MAX_WAIT_MS;
    let isUnclear = wasUnclear;
    for (let retries = 0; ; retries += 1) {
      try {
        return await attempt(id, request, { ...options, ...key }, isUnclear);
      } catch (error) {
        if (!(error instanceof LicenseDeskError) || retries >= maxRetries) throw error;
        const delayMs = retryDelayMs(error, retries, leftMs);
        if (delayMs === null) throw error;
        leftMs -= delayMs;
        isUnclear = error.isUnclear;
        await sleep(delayMs, options.signal);
      }
    }
  };
}

interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function toRequest(api: string, apiKey: string, id: OperationId, params: Params, idempotencyKey?: string): Request {
  const { method, path } = operations[id];
  const headers: Record<string, string> = isDispatch(id)
    ? { "X-API-Key": apiKey }
    : { Authorization: `Bearer ${apiKey}` };
  if (idempotencyKey !== undefined) headers["Idempotency-Key"] = idempotencyKey;
  const rest = Object.entries(params).filter(([name, value]) => value !== undefined && !path.includes(`{${name}}`));
  const query = new URLSearchParams(isDispatch(id) ? { endpoint: path.slice(DISPATCH.length) } : {});
  if (method === "GET") for (const [name, value] of rest) query.append(name, String(value));
  const address = isDispatch(id)
    ? "/"
    : path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const url = `${api}${address}${query.size > 0 ? `?${query}` : ""}`;
  if (method === "GET" || method === "DELETE") return { url, method, headers };
  headers["Content-Type"] = "application/json";
  return { url, method, headers, body: JSON.stringify(Object.fromEntries(rest)) };
}

interface ApiError {
  readonly error: true;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, string | number>>;
}

type ErrorContext = Pick<ErrorFields, "idempotencyKey" | "wasUnclear">;

function readAnswer(id: OperationId, response: Response, text: string, context: ErrorContext): Answer {
  const { status, headers } = response;
  const body = parseObject(text);
  // What is in between may answer in JSON, too.
  if (body && response.ok && (!isDispatch(id) || "data" in body)) return { status, body };
  const retryAfter = headers.get("retry-after");
  const failure = {
    ...context,
    status: response.ok ? null : status,
    requestId: headers.get("x-request-id"),
    retryAfterSeconds: retryAfter === null ? null : parseRetryAfter(retryAfter),
  };
  if (isApiError(body))
    throw new LicenseDeskError(body.message, { ...failure, code: body.code, details: body.details });
  throw new ConnectionError(`License Desk did not answer: ${status} without a body of the API.`, failure);
}

function isApiError(body: object | null): body is ApiError {
  return body !== null && "error" in body && body.error === true && "code" in body;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
