/** Ends a response whose reader has lost access. It is expected, so it is not logged as a fault. */
export class AccessEndedError extends Error {
  override readonly name = "AccessEndedError";

  constructor() {
    super("the reader's key, session or role has ended");
  }
}

/**
 * Checks repeatedly whether the reader of a response still has access, but not right after the last check: a short
 * response is never cut off.
 * @param checkedMs when they had access, as of `performance.now()`
 */
export function rechecked(
  everyMs: number,
  hasAccess: () => Promise<boolean>,
  checkedMs = performance.now(),
): () => Promise<boolean> {
  let lastMs = checkedMs;
  return async () => {
    const nowMs = performance.now();
    if (nowMs - lastMs < everyMs) return true;
    lastMs = nowMs;
    return hasAccess();
  };
}
