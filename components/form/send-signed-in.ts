"use client";
import type { ActionResult, OnceAction } from "#lib/domain/action-result.ts";

type Settle = (signedIn: boolean) => void;

const none: readonly Settle[] = [];
let waiting = none;
const listeners = new Set<() => void>();

function publish(next: readonly Settle[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** What `SignInAgain` reads: submissions that wait for their user to sign in again. */
export const signInRequests = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: () => waiting,
  onServer: () => none,
  /** Sends them again, or gives them up. */
  settle(signedIn: boolean): void {
    const settled = waiting;
    publish(none);
    for (const settle of settled) settle(signedIn);
  },
};

/** False where no dialog can be shown, as on the page for new passwords. */
function signInAgain(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false);
  return new Promise((settle) => publish([...waiting, settle]));
}

/**
 * Calls a server action. When the session has ended, its user signs in where they are, and the same call is sent again
 * under the same key. Null: the answer was lost.
 */
export async function sendSignedIn<Input, Value>(
  action: OnceAction<Input, Value>,
  input: Input,
  idempotencyKey?: string,
): Promise<ActionResult<Value> | null> {
  const send = () => action(input, idempotencyKey).catch(unlessRedirected);
  const result = await send();
  const hasEnded = result?.ok === false && result.error.code === "signed_out";
  return hasEnded && (await signInAgain()) ? send() : result;
}

function unlessRedirected(error: unknown): null {
  // Next's own signals (a redirect, a page that is gone) carry a digest and are for its router.
  if (typeof error === "object" && error !== null && "digest" in error && String(error.digest).startsWith("NEXT_"))
    throw error;
  return null;
}
