import { Agent, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import type { AnswerBody } from "./answer.ts";

export interface RawRequest {
  readonly method: string;
  /** Path and query, sent as they are. */
  readonly target: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Chunks are sent with `Transfer-Encoding: chunked`. */
  readonly body?: string | Uint8Array | readonly Uint8Array[];
  /** The socket's own address: 127.0.0.2 is a peer that no server here trusts (contract 1.6). */
  readonly localAddress?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The JSON body; empty for an answer without one. */
  readonly body: AnswerBody;
}

/** Idle connections end before the server ends them, which would fail the request that takes one just then. */
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 2_000 });
const TIMEOUT_MS = 30_000;

/** Sends one request, byte for byte as told, and reads the whole answer; redirects are answers. */
export function send(baseUrl: string, raw: RawRequest): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      agent,
      hostname,
      port,
      method: raw.method,
      path: raw.target,
      headers: withLength(raw),
      timeout: TIMEOUT_MS,
      ...(raw.localAddress === undefined ? {} : { localAddress: raw.localAddress, agent: false }),
    });
    request.once("timeout", () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    // A server may answer before it has read all of the body; what breaks afterwards is no news.
    request.on("error", reject);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const body = (text === "" ? {} : JSON.parse(text)) as AnswerBody;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body });
      });
    });
    if (Array.isArray(raw.body)) for (const chunk of raw.body) request.write(chunk);
    else if (raw.body !== undefined) request.write(raw.body as string | Uint8Array);
    request.end();
  });
}

function withLength({ headers = {}, body }: RawRequest): OutgoingHttpHeaders {
  if (body === undefined || Array.isArray(body) || "content-length" in headers) return headers;
  return { ...headers, "content-length": Buffer.byteLength(body as string | Uint8Array) };
}

/** `"400 INSUFFICIENT_BALANCE"`, or `"200"` for a success. */
export function verdictOf({ status, body }: Answer): string {
  return body.error ? `${status} ${body.code}` : String(status);
}
