"use client";
import { useRef, useState } from "react";
import { useRefresh } from "#components/ui/use-refresh.ts";
import type { ActionError, OnceAction } from "#lib/domain/action-result.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { sendSignedIn } from "./send-signed-in.ts";
import { toastFailure } from "./toast-failure.ts";
import { useShownAnswer } from "./use-shown-answer.ts";

/** `unreachable`: the answer never came, so nobody here knows whether it was done. */
export type SubmissionFailure = ActionError | { readonly code: "unreachable" };

const SAME_REQUEST = "Try again: the same request is never carried out twice.";
/** Its key is gone with the form. */
const ANOTHER_REQUEST = "It may have been done. Look before you try again.";

export interface Submission<Input> {
  readonly pending: boolean;
  readonly failure: SubmissionFailure | null;
  readonly send: (input: Input) => Promise<void>;
  readonly reset: () => void;
}

/**
 * Sends a form once, however often it is pressed. It is done when the page shows what came of it: who goes on from the
 * page before would be refused for what they did themselves. The key stays the same until an attempt has succeeded, so
 * that trying again after a lost answer finds the first attempt instead of making a second one. A refused attempt
 * releases its key.
 * @param onSuccess returns true when the page is about to be left: the form then stays busy until it is gone
 * @param options.notDone title of the message about a failure, where it has no place on the page
 */
export function useSubmission<Input, Value>(
  action: OnceAction<Input, Value>,
  // biome-ignore lint/suspicious/noConfusingVoidType: most callers return nothing
  onSuccess: (value: Value) => boolean | void,
  { onFailure, notDone }: { onFailure?: (failure: SubmissionFailure) => void; notDone?: string } = {},
): Submission<Input> {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<SubmissionFailure | null>(null);
  const inFlightRef = useRef(false);
  const keyRef = useRef<string | null>(null);
  const refresh = useRefresh();
  const { follow, untilShown, isThereRef } = useShownAnswer();

  async function send(input: Input): Promise<void> {
    if (inFlightRef.current) return;
    inFlightRef.current = true;
    keyRef.current ??= newIdempotencyKey();
    setPending(true);
    setFailure(null);
    const result = await sendSignedIn((...sent) => follow(() => action(...sent)), input, keyRef.current);
    await untilShown();
    if (!result?.ok) {
      const failed = result?.error ?? ({ code: "unreachable" } as const);
      setFailure(failed);
      onFailure?.(failed);
      if (notDone !== undefined) toastFailure(notDone, failed, isThereRef.current ? SAME_REQUEST : ANOTHER_REQUEST);
      // The page may have come again without what was pressed, such as the menu of a license that has ended meanwhile.
      else if (!isThereRef.current) toastFailure("That was not done", failed, ANOTHER_REQUEST);
    }
    if (result?.ok === false && result.error.code === "idempotency_key_reused") {
      // Another one was sent before: once the page shows what came of it, this one can be meant.
      keyRef.current = null;
      refresh();
    }
    const leaving = result?.ok === true && onSuccess(result.value) === true;
    if (result?.ok) keyRef.current = null;
    if (leaving) return;
    inFlightRef.current = false;
    setPending(false);
  }

  return { pending, failure, send, reset: () => setFailure(null) };
}

/** Whether it was about what was chosen then: another choice may cost less, or what it is said to. */
export function isAboutCharge(failure: SubmissionFailure | null): boolean {
  return failure?.code === "insufficient_balance" || failure?.code === "price_changed";
}
