import { setTimeout as sleep } from "node:timers/promises";

/**
 * Loads an answer for any number of callers: one load at a time, and none while the last answer is younger than `ttlMs`.
 * A load that takes longer than `waitMs` continues, and meanwhile its callers get `late`.
 */
export function cacheAnswer<Answer>(
  load: () => Promise<Answer>,
  { ttlMs, waitMs, late }: { readonly ttlMs: number; readonly waitMs: number; readonly late: Answer },
): () => Promise<Answer> {
  let loading: Promise<void> | null = null;
  let last: { readonly answer: Answer; readonly atMs: number } | null = null;
  let waiting: Promise<Answer> | null = null;

  const keep = (answer: Answer) => {
    last = { answer, atMs: performance.now() };
    return answer;
  };
  const begin = () =>
    load()
      .then(keep)
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        loading = null;
      });

  async function wait(): Promise<Answer> {
    loading ??= begin();
    const given = new AbortController();
    const loaded = loading.then(() => true);
    const isLoaded = await Promise.race([loaded, sleep(waitMs, false, { ref: false, signal: given.signal })]);
    given.abort();
    return isLoaded && last !== null ? last.answer : keep(late);
  }

  return () => {
    if (last !== null && performance.now() - last.atMs < ttlMs) return Promise.resolve(last.answer);
    waiting ??= wait().finally(() => {
      waiting = null;
    });
    return waiting;
  };
}
