/** Cuts off a response under way, because whoever reads it no longer may. Expected, so no fault. */
export class AccessEndedError extends Error {
  override readonly name = "AccessEndedError";

  constructor() {
    super("the reader's key, session or role has ended");
  }
}
