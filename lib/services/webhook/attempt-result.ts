import type { AttemptResult, FailingSince } from "#lib/db/webhook/delivery.ts";
import { readChatAnswer } from "#lib/domain/chat-answer.ts";
import { CHALLENGE_KIND } from "#lib/domain/events.ts";
import { nextDelayMs, parseRetryAfterMs } from "#lib/domain/retry.ts";
import { meetsChallenge } from "#lib/domain/webhook-challenge.ts";
import type { WebhookReply } from "#lib/ports/webhook-sender.ts";
import type { ClaimedDelivery } from "./deliver.ts";

/** Contract 4.3. */
const DISABLE_AFTER_MS = 5 * 24 * 3_600_000;
const GONE = 410;
/** Enough for a temporary failure, and few for a host that has not agreed to anything. */
const CHALLENGE_ATTEMPTS = 3;

/** The effect of a response, or of none, on its delivery (contract 4.3). `random`: between 0 and 1, exclusive. */
export function toAttemptResult(
  delivery: ClaimedDelivery,
  reply: Exclude<WebhookReply, { kind: "moved" }>,
  attempt: {
    readonly headers: Readonly<Record<string, string>> | null;
    readonly durationMs: number;
    readonly endedAt: Date;
    readonly random: number;
  },
): AttemptResult {
  const { headers, durationMs, endedAt, random } = attempt;
  const answered = reply.kind === "answered" ? reply : null;
  const isAccepted = answered !== null && answered.status >= 200 && answered.status < 300;
  const challenge = delivery.kind === CHALLENGE_KIND;
  const chat = answered && delivery.format !== "standard" ? readChatAnswer(delivery.format, answered) : null;
  const isMet = !challenge || chat !== null || meetsChallenge(answered?.bodyStart ?? "", delivery.data.challenge);
  const succeeded = isAccepted && isMet;
  const retryAfter = chat?.retryAfter ?? answered?.retryAfter;
  const retryAfterMs = retryAfter ? parseRetryAfterMs(retryAfter, endedAt) : null;
  const failures = delivery.failureCount + 1;
  const isLast = succeeded || answered?.status === GONE || (challenge && failures >= CHALLENGE_ATTEMPTS);
  const delayMs = isLast ? null : nextDelayMs(failures, retryAfterMs, random);
  return {
    deliveryId: delivery.deliveryId,
    leaseToken: delivery.lease.token,
    attemptNumber: delivery.attemptNumber,
    endpointId: delivery.endpointId,
    succeeded,
    durationMs,
    status: answered?.status ?? null,
    requestHeaders: headers,
    // A chat's answer can repeat its address, and so the secret, or the code.
    responseStart: chat ? null : (answered?.bodyStart ?? null),
    error: reply.kind === "failed" ? reply.error : chat ? chat.error : explain(reply.status, challenge && !succeeded),
    nextAttemptAt: delayMs === null ? null : new Date(endedAt.getTime() + delayMs),
    endedAt,
    challenge,
    challengeEventId: delivery.challengeEventId,
  };
}

/** What the status alone does not explain. */
function explain(status: number, isUnmet: boolean): string | null {
  if (isUnmet && status >= 200 && status < 300) {
    return "The answer is not the challenge. Answer with data.challenge as the body.";
  }
  if (isUnmet && status === GONE) return "The receiver answered 410 Gone.";
  if (status === GONE) return "The receiver answered 410 Gone, which disables an endpoint.";
  if (status >= 300 && status < 400) return "Redirects are not followed: set the endpoint to the final address.";
  return null;
}

/** The reason to disable the endpoint after this attempt, or null. */
export function disablingReason(result: AttemptResult, failingSince: FailingSince): "gone" | "failing" | null {
  if (result.challenge) return null;
  if (result.status === GONE) return "gone";
  const failingMs = failingSince === null ? 0 : result.endedAt.getTime() - failingSince.getTime();
  return failingMs >= DISABLE_AFTER_MS ? "failing" : null;
}
