import type { ServiceContext } from "#lib/services/context.ts";

/**
 * A background job is a wake-up: what to do, and who does it, is in the rows that the service reads. So losing,
 * repeating or delaying a job is harmless. Returns a summary for the log, or null.
 */
export type Job = (ctx: ServiceContext, payload: unknown) => Promise<object | null>;

/** Thrown by a check that was carried out and found something. It is repeated at its next regular time. */
export class Finding extends Error {
  override readonly name = "Finding";
}
