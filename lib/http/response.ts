import type { DomainError } from "#lib/domain/errors.ts";
import type { RateLimitDecision } from "#lib/domain/rate-limit.ts";
import type { Answer } from "./endpoint.ts";

/** A body that is JSON text already, to be sent as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The one place where headers are set: every answer of both interfaces carries them (decisions 1.5). */
export function toResponse(
  method: string,
  answer: Answer & { readonly replayed?: boolean },
  limit: RateLimitDecision,
  requestId: string,
  error?: DomainError,
): Response {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-ratelimit-limit": String(limit.limit),
    "x-ratelimit-remaining": String(limit.remaining),
    "x-ratelimit-reset": String(limit.resetsAtSeconds),
    "x-request-id": requestId,
  };
  if (error?.retryAfterSeconds !== undefined) headers["retry-after"] = String(error.retryAfterSeconds);
  if (error?.allow) headers.allow = error.allow.join(", ");
  if (answer.replayed) headers["idempotent-replayed"] = "true";
  return new Response(method === "HEAD" ? null : toBody(answer.body), { status: answer.status, headers });
}

function toBody(body: unknown): string | ReadableStream<Uint8Array> {
  if (body instanceof JsonText) return body.text;
  if (isAsyncIterable(body)) return toStream(body);
  return JSON.stringify(body);
}

function isAsyncIterable(body: unknown): body is AsyncIterable<string> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** Pulls a chunk when the reader has room for it: a slow reader costs no memory. */
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
