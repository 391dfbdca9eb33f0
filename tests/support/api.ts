/** Both interfaces in the test's process, without a server. */
import { scopes as allScopes, type Scope } from "#lib/domain/scopes.ts";
import { apiFetch } from "#lib/http/route-table.ts";
import { handleMcpRequest } from "#lib/mcp/handle.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import type { ResellerWorld } from "./reseller.ts";
import { newWorld, PEPPER, type World } from "./world.ts";

export interface ApiCall {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent verbatim. */
  readonly json?: string;
  readonly form?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The socket's peer. */
  readonly source?: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the content of responses
  readonly body: any;
}

/** Calls with one key. */
export interface ApiCaller {
  /** `path`: below `/api/v1`. */
  readonly path: (path: string, call?: ApiCall) => Promise<ApiAnswer>;
  readonly dispatch: (endpoint: string, call?: ApiCall) => Promise<ApiAnswer>;
  /** One JSON-RPC message. */
  readonly mcp: (method: string, params?: object) => Promise<ApiAnswer>;
}

export interface ApiUser extends ResellerWorld, ApiCaller {
  readonly apiKey: string;
}

export interface ApiWorld extends World {
  user(options?: { readonly scopes?: readonly Scope[]; readonly funds?: string }): Promise<ApiUser>;
}

export const SOURCE = "198.51.100.7";

/** The API uses real time, not the world's clock. */
export async function newApiWorld(): Promise<ApiWorld> {
  const world = await newWorld({ start: new Date() });
  Object.assign(process.env, { DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER, LOG_LEVEL: "silent" });
  const close = world.close;
  return Object.assign(world, {
    async user({ scopes = allScopes, funds }: { scopes?: readonly Scope[]; funds?: string } = {}) {
      const reseller = await world.reseller(funds === undefined ? {} : { funds });
      const { apiKey } = await createResellerApiKey(world.operator, {
        resellerId: reseller.id,
        name: "test",
        scopes,
        rateLimitPerMinute: 100_000,
      });
      return Object.assign(reseller, { apiKey }, callerWith(apiKey));
    },
    async close() {
      await closeRuntime();
      await close();
    },
  });
}

export function callerWith(apiKey: string): ApiCaller {
  return {
    path: (path, call = {}) => callApi(`/api/v1${path}`, apiKey, call),
    dispatch: (endpoint, { query, ...call } = {}) =>
      callApi("/api/v1/", apiKey, { ...call, query: { endpoint, ...query } }),
    mcp: (method, params = {}) =>
      callApi("/mcp", apiKey, { json: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) }),
  };
}

async function callApi(path: string, apiKey: string, call: ApiCall): Promise<ApiAnswer> {
  const { json, form, query, headers, source = SOURCE } = call;
  const body = json ?? (form && encode(form)) ?? null;
  const target = query ? `${path}?${encode(query)}` : path;
  const request = new Request(`http://desk.test${target}`, {
    method: call.method ?? (body === null ? "GET" : "POST"),
    headers: {
      authorization: `Bearer ${apiKey}`,
      "x-api-key": apiKey,
      ...(body === null ? {} : { "content-type": json === undefined ? FORM_TYPE : "application/json" }),
      ...headers,
    },
    body,
  });
  const handle = path === "/mcp" ? handleMcpRequest : apiFetch;
  const response = await handle(request, { peerAddress: source, target });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
}

const FORM_TYPE = "application/x-www-form-urlencoded";

function encode(fields: Readonly<Record<string, string | number>>): string {
  return new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
}

/** `"400 INVALID_REQUEST"`, or `"200"` for a success. */
export function verdictOf({ status, body }: ApiAnswer): string {
  return body?.error ? `${status} ${body.code}` : String(status);
}
