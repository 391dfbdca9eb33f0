/** Gives up after `ms`. The work cannot be interrupted: what it still does, and its failure, are ignored. */
export async function withDeadline<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error(`gave up after ${ms / 1_000} seconds`)), ms).unref();
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}
