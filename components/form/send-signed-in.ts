"use client";
import { unstable_isUnrecognizedActionError as isUnrecognizedAction } from "next/navigation";
import { shareValue } from "#components/ui/shared-value.ts";
import { type ActionResult, type OnceAction, PAGE_OUTDATED } from "#lib/domain/action-result.ts";
import { retryUnanswered } from "./connection.ts";
import { thisPage } from "./idempotency-key.ts";

type Refusal = Extract<ActionResult<never>, { readonly ok: false }>;

const answerLost = (advice = "reload the page and look before you try again"): Refusal => ({
  ok: false,
  error: {
    ...PAGE_OUTDATED.error,
    code: "answer_lost",
    message: `The answer did not arrive. It may have been done: ${advice}.`,
  },
});

const SAME_REQUEST = "try again, the same request is never carried out twice";

/** Keys of attempts without an answer, any of which may have been carried out. */
const unanswered = new Set<string>();
const mayBeDone = (key?: string) => key !== undefined && unanswered.has(key);

interface Waiting {
  readonly mayBeDone: boolean;
  readonly settle: (done: boolean) => void;
}

/** Submissions that wait for something their user has to do in a dialog. */
function createRequests() {
  const waiting = shareValue<readonly Waiting[]>([]);
  return {
    /** Whether the dialog is to be shown. */
    useIsAsked: () => waiting.useValue().length > 0,
    /** Whether an attempt of one of them got no answer. */
    useMayBeDone: () => waiting.useValue().some(({ mayBeDone }) => mayBeDone),
    /** Sends them again, or gives them up. */
    settle(done: boolean): void {
      const settled = waiting.get();
      waiting.set([]);
      for (const { settle } of settled) settle(done);
    },
    /** False where no dialog can be shown, as on the page for new passwords. */
    ask(mayBeDone = false): Promise<boolean> {
      if (!waiting.isShown()) return Promise.resolve(false);
      return new Promise((settle) => waiting.set([...waiting.get(), { mayBeDone, settle }]));
    },
  };
}

/** For `SignInAgain`. */
export const signInRequests = createRequests();
/** For `ProveAgain`. */
export const proofRequests = createRequests();

/**
 * Calls a server action. When the session has ended, its user signs in where they are; when a sensitive action asks for
 * a recent proof, they give it. Then the same call is sent again under the same key, as it is while no answer comes.
 * Null: the answer was lost.
 */
export async function sendSignedIn<Input, Value>(
  action: OnceAction<Input, Value>,
  input: Input,
  idempotencyKey?: string,
): Promise<ActionResult<Value> | null> {
  const attempt = () => action(input, idempotencyKey ?? thisPage()).catch(explain);
  const send = async () => {
    const first = await attempt();
    if (idempotencyKey === undefined) return first;
    if (first === null) unanswered.add(idempotencyKey);
    const result = first ?? (await retryUnanswered(attempt));
    // An attempt before may have reached the version before, or have changed the owner itself.
    const isLate = result?.ok === false && ["page_outdated", "other_owner"].includes(result.error.code);
    return isLate && mayBeDone(idempotencyKey) ? answerLost() : result;
  };
  const result = await send();
  const code = result?.ok === false ? result.error.code : null;
  const requests =
    code === "proof_required" ? proofRequests : code === "signed_out" || code === "other_owner" ? signInRequests : null;
  if (requests === null) return result;
  if (await requests.ask(mayBeDone(idempotencyKey))) return send();
  return mayBeDone(idempotencyKey) ? answerLost(SAME_REQUEST) : result;
}

/**
 * For what the server would answer untruly a second time, as a used code is wrong: it is sent once, answered or not.
 * @param advice what to do without an answer, after "It may have been done: "
 */
export function unrepeated<Input, Value>(action: OnceAction<Input, Value>, advice?: string): OnceAction<Input, Value> {
  return async (input, idempotencyKey) => (await action(input, idempotencyKey).catch(explain)) ?? answerLost(advice);
}

/** Null: no answer. The server of another version, which lacks the action, answers for sure that it did nothing. */
function explain(error: unknown): Refusal | null {
  if (isUnrecognizedAction(error)) return PAGE_OUTDATED;
  // Next's own signals (a redirect, a page that is gone) carry a digest and are for its router.
  if (typeof error === "object" && error !== null && "digest" in error && String(error.digest).startsWith("NEXT_"))
    throw error;
  return null;
}
