import { createHash } from "node:crypto";
import { type DomainError, invalidParameters, isDomainError } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { claimKey, keepAnswer, releaseKey } from "#lib/services/idempotency/claim.ts";
import type { Answer } from "./endpoint.ts";
import { JsonText } from "./response.ts";

/** 1–255 printable ASCII characters (decisions 1.11). */
const idempotencyKey = /^[\x20-\x7e]{1,255}$/;

/**
 * Answers a POST once: the same key and request get the stored answer (decisions 1.11). Refusals are answers too;
 * 5xx are not stored, so that the same key can be tried again.
 * @throws DomainError `idempotency_key_reused`, `idempotency_in_progress`, `parameters_invalid`, and what `answer` throws.
 */
export async function answerOnce(
  ctx: ServiceContext,
  claim: { readonly key: string; readonly request: unknown },
  answer: () => Promise<Answer>,
  presentError: (error: DomainError) => Answer,
): Promise<Answer & { readonly replayed?: boolean }> {
  if (!idempotencyKey.test(claim.key)) {
    throw invalidParameters([
      { field: "Idempotency-Key", kind: "unreadable", message: "must have 1 to 255 printable characters" },
    ]);
  }
  const stored = await claimKey(ctx, { key: claim.key, requestHash: hashRequest(claim.request) });
  if (stored) return { status: stored.status, body: new JsonText(stored.body), replayed: true };
  try {
    return await keep(ctx, claim.key, await answer());
  } catch (error) {
    const refusal = isDomainError(error) ? presentError(error) : null;
    if (refusal && refusal.status < 500) await keep(ctx, claim.key, refusal);
    else await releaseKey(ctx, claim.key).catch(() => {});
    throw error;
  }
}

async function keep(ctx: ServiceContext, key: string, { status, body, confidential }: Answer): Promise<Answer> {
  const text = JSON.stringify(body);
  await keepAnswer(ctx, key, { status, body: text }, { sealed: confidential === true });
  return { status, body: new JsonText(text) };
}

/** Two requests are the same when operation and parameters are, in whatever order they were sent. */
function hashRequest(request: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(request, sortNames)).digest();
}

function sortNames(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
