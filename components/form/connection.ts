"use client";

const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

let waiting = 0;
const listeners = new Set<() => void>();

function count(change: number): void {
  waiting += change;
  for (const listener of listeners) listener();
}

/** Whether the browser is offline, or a submission waits for the server to be reached. */
export const connection = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    window.addEventListener("online", listener);
    window.addEventListener("offline", listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener("online", listener);
      window.removeEventListener("offline", listener);
    };
  },
  isLost: () => waiting > 0 || !navigator.onLine,
};

/** Sends again what got no answer, for half a minute. For what is never carried out twice. Null: still no answer. */
export async function retryUnanswered<Answer>(send: () => Promise<Answer | null>): Promise<Answer | null> {
  count(1);
  try {
    for (const delayMs of RETRY_DELAYS_MS) {
      await untilOnline(delayMs);
      const answer = await send();
      if (answer !== null) return answer;
    }
    return null;
  } finally {
    count(-1);
  }
}

/** A while, or until the browser has a connection again. */
function untilOnline(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    function done() {
      window.clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    }
    const timer = window.setTimeout(done, delayMs);
    window.addEventListener("online", done);
  });
}
