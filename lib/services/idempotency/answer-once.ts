import { type DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import {
  claimKey,
  type EarlierAnswer,
  findEarlierAnswer,
  type KeyedRequest,
  ownKey,
  releaseKey,
  replaceAnswer,
  rollBackWrites,
  type StoredAnswer,
  storeAnswer,
} from "./claim.ts";

/** How to answer a request that has no answer yet. */
export interface KeyedWork {
  /** @param ctx of the claim; or of a settled operation, whose outcome is the answer */
  answer(ctx: ServiceContext): Promise<StoredAnswer>;
  /** An error in its stored form. Null: it is not stored, and the key can be retried. */
  refuse(error: DomainError): StoredAnswer | null;
}

export interface OnceAnswer {
  readonly answer: StoredAnswer;
  /** The answer is the outcome of an earlier request with the same key. */
  readonly isReplayed: boolean;
}

/**
 * Answers a request once per idempotency key (contract 1.11). Every returned answer is stored, so the key has one
 * outcome. A request that has lost its key returns the outcome of the one that replaced it.
 * @throws DomainError `idempotency_key_reused`, `idempotency_in_progress`, `unavailable`, and what `answer` throws
 */
export async function answerOnce(ctx: ServiceContext, sent: KeyedRequest, work: KeyedWork): Promise<OnceAnswer> {
  const request = { ...sent, key: ownKey(ctx, sent.key) };
  const found = await claimKey(ctx, request);
  if (found.kind !== "claimed") return replay(found, request, work);
  const claimed = found.ctx;
  try {
    const kept = await answerAndStore(claimed, work);
    if ("answer" in kept) return { answer: kept.answer, isReplayed: false };
  } catch (error) {
    // No effect if the error was stored.
    await releaseKey(claimed);
    throw error;
  }
  return replay(await findEarlierAnswer(ctx, request), request, work);
}

type Kept = { readonly answer: StoredAnswer } | { readonly isLost: true };

/** @throws stored errors, too */
async function answerAndStore(claimed: ServiceContext, work: KeyedWork): Promise<Kept> {
  let answer: StoredAnswer;
  try {
    answer = await work.answer(claimed);
  } catch (error) {
    await rollBackWrites(claimed);
    const refusal = isDomainError(error) ? work.refuse(error) : null;
    if (refusal && !(await storeAnswer(claimed, refusal))) return { isLost: true };
    throw error;
  }
  return (await storeAnswer(claimed, answer)) ? { answer } : { isLost: true };
}

async function replay(found: EarlierAnswer, request: KeyedRequest, work: KeyedWork): Promise<OnceAnswer> {
  if (found.kind === "answered") return { answer: found.answer, isReplayed: true };
  const answer = await work.answer(found.ctx).catch((error: unknown) => {
    const refusal = isDomainError(error) ? work.refuse(error) : null;
    if (refusal) return refusal;
    throw error;
  });
  await replaceAnswer(found.ctx, request.key, answer);
  return { answer, isReplayed: true };
}
