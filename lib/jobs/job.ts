import type { ServiceContext } from "#lib/services/context.ts";

/**
 * Work in the background. A job is a wake-up: what there is to do, and who is at it, is in the rows that the service
 * reads, so a job that is lost, repeated or late changes nothing but the time. Returns what is worth a line in the
 * log, or null.
 */
export type Job = (ctx: ServiceContext, payload: unknown) => Promise<object | null>;
