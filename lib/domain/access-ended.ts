/** Ends a response whose reader has lost access. It is expected, so it is not logged as a fault. */
export class AccessEndedError extends Error {
  override readonly name = "AccessEndedError";

  constructor() {
    super("the reader's key, session or role has ended");
  }
}
