import { type DomainError, invalidParameters, isTransient } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { answerOnce } from "#lib/services/idempotency/answer-once.ts";
import type { Answer } from "./endpoint.ts";
import { JsonText } from "./response.ts";

/** 1–255 printable ASCII characters (contract 1.11). */
const idempotencyKey = /^[\x20-\x7e]{1,255}$/;

/**
 * Answers a POST once: the same key and request get the stored answer (contract 1.11). Refusals are answers too, except
 * transient ones: the same key may be tried again.
 * @throws DomainError `parameters_invalid`, and those of `answerOnce`
 */
export async function answerKeyedRequest(
  ctx: ServiceContext,
  request: { readonly key: string; readonly requestHash: Buffer },
  answer: (ctx: ServiceContext) => Promise<Answer>,
  presentError: (error: DomainError) => Answer,
): Promise<Answer & { readonly replayed?: boolean }> {
  if (!idempotencyKey.test(request.key)) {
    throw invalidParameters([
      { field: "Idempotency-Key", kind: "unreadable", message: "must have 1 to 255 printable characters" },
    ]);
  }
  const { answer: stored, isReplayed } = await answerOnce(ctx, request, {
    answer: async (claimed) => toStored(await answer(claimed)),
    refuse: (error) => (isTransient(error.code) ? null : toStored(presentError(error))),
  });
  return { status: stored.status, body: new JsonText(stored.body), replayed: isReplayed };
}

function toStored({ status, body, confidential }: Answer) {
  return { status, body: JSON.stringify(body), ...(confidential ? { sealed: confidential } : {}) };
}
