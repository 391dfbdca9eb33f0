import { randomBytes } from "node:crypto";
import { Agent, buildConnector, type Dispatcher, request as sendRequest } from "undici";
import { signRequest } from "#lib/domain/request-signature.ts";
import { toStorable } from "#lib/domain/text.ts";
import type { ProviderFault } from "#lib/ports/license-provider.ts";
import { readBoundedText } from "./bounded-text.ts";

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface DispatchAccess {
  /** Ends in `/api/v1/`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** If set, every request is signed (contract 3.14). */
  readonly signingSecret: string | null;
  /** For signatures. */
  readonly now: () => Date;
  /** Called with the headers of each answer. */
  readonly onAnswer?: (headers: AnswerHeaders) => void;
}

export interface DispatchCall {
  readonly method: "GET" | "POST";
  /** Relative to the base URL: empty for the dispatch interface, `licenses` for the path interface's list. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Form fields of a POST. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly maxBodyBytes?: number;
  /** Aborts the call at any stage. */
  readonly signal: AbortSignal;
  /** Called once connected, right before the request is written. */
  readonly maySend?: () => boolean;
}

export type DispatchReply =
  /** A complete response with a JSON body. */
  | { readonly kind: "answered"; readonly status: number; readonly body: unknown; readonly replayed: boolean }
  /** `maySend` returned false. */
  | { readonly kind: "withheld" }
  /** No connection was established: the provider received nothing. */
  | { readonly kind: "not_sent"; readonly message: string; readonly fault: ProviderFault }
  | { readonly kind: "unknown"; readonly message: string; readonly fault?: ProviderFault };

export interface DispatchTransport {
  /** Sends once, without retries or redirects. Never throws. */
  send(call: DispatchCall): Promise<DispatchReply>;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 256 * 1024;
export const MAX_CONNECTIONS = 16;
const NONCE_BYTES = 9;
const MS_PER_SECOND = 1000;

/** Failed before a connection was established: name, address, port, TLS. */
class NotConnectedError extends Error {
  override readonly name = "NotConnectedError";
}

/** The request was not written to its connection. */
class WithheldError extends Error {
  override readonly name = "WithheldError";
}

function withholdUnless(maySend: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const guarded: Dispatcher.DispatchHandler = Object.create(handler);
    guarded.onRequestStart = (controller, context) => {
      if (maySend()) handler.onRequestStart?.(controller, context);
      else controller.abort(new WithheldError("withheld"));
    };
    return dispatch(options, guarded);
  };
}

export function createDispatchTransport(access: DispatchAccess, connectTimeoutMs: number): DispatchTransport {
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  const agent = new Agent({
    connections: MAX_CONNECTIONS,
    // A connection for each request: on a kept one, a second answer to a request would be taken for the next one's.
    pipelining: 0,
    allowH2: false,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error) callback(new NotConnectedError("not connected", { cause: error }), null);
        else callback(null, socket);
      }),
  });

  let closing: Promise<void> | null = null;

  async function send(call: DispatchCall): Promise<DispatchReply> {
    // Replaced while this request waited, because the credentials changed.
    if (closing)
      return { kind: "not_sent", message: "The provider's credentials have just changed.", fault: "connection" };
    const url = new URL(call.path, access.baseUrl);
    for (const [name, value] of Object.entries(call.query)) url.searchParams.append(name, value);
    // A signature is accepted once, and equal requests within a second would have the same.
    if (access.signingSecret) url.searchParams.append("nonce", randomBytes(NONCE_BYTES).toString("base64url"));
    const body = call.fields ? new URLSearchParams(call.fields).toString() : null;
    try {
      const response = await sendRequest(url, {
        dispatcher: call.maySend ? agent.compose(withholdUnless(call.maySend)) : agent,
        method: call.method,
        headers: headersOf(access, call, url, body),
        body,
        signal: call.signal,
      });
      access.onAnswer?.(response.headers);
      const text = await readBoundedText(response.body, call.maxBodyBytes ?? MAX_BODY_BYTES);
      if (text === null) return { kind: "unknown", message: "The provider's response is too large." };
      return readReply(response.statusCode, response.headers, text);
    } catch (error) {
      return failureOf(error, call.signal);
    }
  }

  function close(): Promise<void> {
    closing ??= agent.close();
    return closing;
  }

  return { send, close };
}

function headersOf(access: DispatchAccess, call: DispatchCall, url: URL, body: string | null): Record<string, string> {
  const { apiKey, signingSecret } = access;
  const target = url.pathname + url.search;
  return {
    accept: "application/json",
    ...(call.path === "" ? { "x-api-key": apiKey } : { authorization: `Bearer ${apiKey}` }),
    ...(body === null ? {} : { "content-type": "application/x-www-form-urlencoded" }),
    ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
    ...(signingSecret === null
      ? {}
      : {
          "x-signature": signRequest(
            signingSecret,
            { method: call.method, target, body: body ?? "" },
            Math.floor(access.now().getTime() / MS_PER_SECOND),
          ),
        }),
  };
}

function readReply(status: number, headers: AnswerHeaders, text: string): DispatchReply {
  const unreadable: DispatchReply = {
    kind: "unknown",
    message: `The provider's response (${status}) could not be read.`,
  };
  const contentType = String(headers["content-type"] ?? "");
  if (!/^application\/json\s*(;|$)/i.test(contentType)) return unreadable;
  try {
    return {
      kind: "answered",
      status,
      body: JSON.parse(text, toStorableValue),
      replayed: headers["idempotent-replayed"] === "true",
    };
  } catch {
    return unreadable;
  }
}

/** What the provider writes is stored: a settlement that cannot be would keep its money held forever. */
function toStorableValue(_name: string, value: unknown): unknown {
  return typeof value === "string" ? toStorable(value) : value;
}

function failureOf(error: unknown, signal: AbortSignal): DispatchReply {
  if (error instanceof WithheldError) return { kind: "withheld" };
  if (error instanceof NotConnectedError) {
    return {
      kind: "not_sent",
      message: `The provider cannot be reached (${codeOf(error.cause)}).`,
      fault: "connection",
    };
  }
  if (signal.aborted) return { kind: "unknown", message: "The provider did not respond in time.", fault: "time_out" };
  return { kind: "unknown", message: `The connection to the provider broke (${codeOf(error)}).`, fault: "connection" };
}

/** A system or library code such as ECONNREFUSED, never a message, which may quote the request. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "no code";
}
