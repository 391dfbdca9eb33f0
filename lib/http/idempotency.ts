import { type DomainError, invalidParameters, isTransient } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { answerOnce } from "#lib/services/idempotency/answer-once.ts";
import type { EndpointResult } from "./endpoint.ts";
import { JsonText } from "./response.ts";

/** 1–255 printable ASCII characters (contract 1.11). */
const idempotencyKey = /^[\x20-\x7e]{1,255}$/;

/**
 * Runs a POST once: the same key and request get the stored response (contract 1.11). Errors are stored too, except
 * transient ones, which can be retried with the same key.
 * @throws DomainError `parameters_invalid`, and those of `answerOnce`
 */
export async function handleKeyedRequest(
  ctx: ServiceContext,
  request: { readonly key: string; readonly requestHash: Buffer },
  handle: (ctx: ServiceContext) => Promise<EndpointResult>,
  presentError: (error: DomainError) => EndpointResult,
): Promise<EndpointResult & { readonly replayed?: boolean }> {
  if (!idempotencyKey.test(request.key)) {
    throw invalidParameters([
      { field: "Idempotency-Key", kind: "unreadable", message: "must have 1 to 255 printable characters" },
    ]);
  }
  const { answer: stored, isReplayed } = await answerOnce(ctx, request, {
    answer: async (claimed) => toStored(await handle(claimed)),
    refuse: (error) => (isTransient(error.code) ? null : toStored(presentError(error))),
  });
  return { status: stored.status, body: new JsonText(stored.body), replayed: isReplayed };
}

function toStored({ status, body, confidential }: EndpointResult) {
  return { status, body: JSON.stringify(body), ...(confidential ? { sealed: confidential } : {}) };
}
