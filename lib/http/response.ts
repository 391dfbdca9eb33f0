import { hash } from "node:crypto";
import type { DomainError } from "#lib/domain/errors.ts";
import type { RateLimitDecision } from "#lib/domain/rate-limit.ts";
import type { EndpointResult } from "./endpoint.ts";

const NOT_MODIFIED = 304;
const ETAG_CHARACTERS = 22;

/** A body that is already JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Spelled as in the contract: some clients compare header names by case. */
export const API_HEADERS = [
  "Content-Type",
  "Cache-Control",
  "X-Content-Type-Options",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "Retry-After",
  "Allow",
  "Idempotent-Replayed",
  "ETag",
] as const;

type ApiHeaders = Partial<Record<(typeof API_HEADERS)[number], string>>;

/** Sets the headers of every response of both interfaces (contract 1.5). */
export function apiHeaders(limit: RateLimitDecision, requestId: string, error?: DomainError): ApiHeaders {
  // A slow response may outlive its window, and the header is never in the past.
  const resetsAtSeconds = Math.max(limit.resetsAtSeconds, Math.ceil(Date.now() / 1000));
  const headers: ApiHeaders = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-RateLimit-Limit": String(limit.limit),
    "X-RateLimit-Remaining": String(limit.remaining),
    "X-RateLimit-Reset": String(resetsAtSeconds),
    "X-Request-Id": requestId,
  };
  if (error?.retryAfterSeconds !== undefined) headers["Retry-After"] = String(error.retryAfterSeconds);
  if (error?.allow) headers.Allow = error.allow.join(", ");
  return headers;
}

export function toResponse(
  method: string,
  answer: EndpointResult & { readonly replayed?: boolean },
  limit: RateLimitDecision,
  requestId: string,
  error?: DomainError,
): Response {
  const headers = apiHeaders(limit, requestId, error);
  if (answer.replayed) headers["Idempotent-Replayed"] = "true";
  return new Response(method === "HEAD" ? null : toBody(answer.body), { status: answer.status, headers });
}

/** A response with an `ETag` of its body; 304 without a body if the caller has that. */
export function toTaggedResponse(
  { method, headers: sent }: Request,
  { status, body }: EndpointResult,
  limit: RateLimitDecision,
  requestId: string,
): Response {
  const text = JSON.stringify(body);
  const etag = `"${hash("sha256", text, "base64url").slice(0, ETAG_CHARACTERS)}"`;
  const known = (sent.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  // A cache may keep it, but has to ask each time.
  const headers = { ...apiHeaders(limit, requestId), "Cache-Control": "private, no-cache", ETag: etag };
  if (known.includes(etag) || known.includes("*")) return new Response(null, { status: NOT_MODIFIED, headers });
  return new Response(method === "HEAD" ? null : text, { status, headers });
}

function toBody(body: unknown): string | ReadableStream<Uint8Array> {
  if (body instanceof JsonText) return body.text;
  if (isStreamed(body)) return toStream(body);
  return JSON.stringify(body);
}

export function isStreamed(body: unknown): body is AsyncIterable<string> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** Pulls a chunk when the reader is ready, so a slow reader costs no memory. */
function toStream(chunks: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
