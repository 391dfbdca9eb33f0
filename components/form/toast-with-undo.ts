"use client";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { failureText } from "./failure-text.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { sendSignedIn } from "./send-signed-in.ts";

export interface Undo<Input, Value> {
  /** What has to be known about the change. */
  readonly description?: string | undefined;
  /** What was changed. A newer change of it takes the offer to undo this one away. */
  readonly subject: string;
  /** Takes back what was just done. */
  readonly action: OnceAction<Input, Value>;
  readonly input: Input;
  /** What is said when that has succeeded. */
  readonly title: string;
  /** False: it would leave something other than what was before, so it is not offered. */
  readonly exact: boolean;
}

/**
 * Reports what was done, and offers to undo it if that restores exactly the earlier state. The toast outlives the page
 * it came from, so a failed undo is reported by another toast, which offers to try again: under the same key, unless the
 * server refused.
 */
export function toastWithUndo<Input, Value>(title: string, undo: Undo<Input, Value>): void {
  toast({
    title,
    ...(undo.description === undefined ? {} : { description: undo.description }),
    tone: "positive",
    subject: undo.subject,
    ...(undo.exact ? { action: { label: "Undo", onSelect: () => void takeBack(undo, newIdempotencyKey()) } } : {}),
  });
}

async function takeBack<Input, Value>(undo: Undo<Input, Value>, key: string): Promise<void> {
  const result = await sendSignedIn(undo.action, undo.input, key);
  if (result?.ok) {
    toast({ title: undo.title, subject: undo.subject });
    return;
  }
  toast({
    title: "That could not be undone",
    description: result === null ? "The answer did not arrive." : failureText(result.error),
    tone: "critical",
    ...(result === null ? { action: { label: "Try again", onSelect: () => void takeBack(undo, key) } } : {}),
  });
}
