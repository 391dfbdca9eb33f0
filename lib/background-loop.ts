import { setTimeout as sleep } from "node:timers/promises";

/** Polls for work until stopped, and runs several pieces of it concurrently. */
export interface BackgroundLoop<Key> {
  /** Pieces in progress. */
  readonly underWay: ReadonlyMap<Key, Promise<void>>;
  begin(key: Key, work: Promise<void>): void;
  /** Polls immediately. */
  wake(): void;
  isStopped(): boolean;
  /** Starts nothing more, and waits up to `graceMs` for work in progress. */
  stop(graceMs: number): Promise<void>;
}

interface LoopOptions<Key> {
  /** Starts the work that it finds. True: there may be more. */
  readonly poll: (loop: BackgroundLoop<Key>) => Promise<boolean>;
  readonly everyMs: number;
  /** Also polls whenever a piece ends, for work to take its place. */
  readonly pollsAtEnds?: boolean;
  readonly afterErrorMs: number;
  readonly logError: (error: unknown) => void;
}

/** Share of the interval; spreads processes that started together. */
const JITTER = 0.2;
/** Least time between polls, so that pieces that end one by one are replaced in one claim. */
const PAUSE_MS = 10;

export function startLoop<Key>({
  poll,
  everyMs,
  pollsAtEnds = false,
  afterErrorMs,
  logError,
}: LoopOptions<Key>): BackgroundLoop<Key> {
  const underWay = new Map<Key, Promise<void>>();
  let stopped = false;
  let woken = Promise.withResolvers<void>();

  /** Work that stopping interrupts is no error: another process repeats it. */
  function report(error: unknown): void {
    if (!stopped) logError(error);
  }

  async function run(): Promise<void> {
    while (!stopped) {
      woken = Promise.withResolvers();
      let waitMs = everyMs;
      try {
        if (await poll(loop)) continue;
      } catch (error) {
        report(error);
        waitMs = afterErrorMs;
      }
      await sleep(PAUSE_MS, undefined, { ref: false });
      await withinMs(woken.promise, waitMs * (1 + JITTER * (2 * Math.random() - 1)));
    }
  }

  const loop: BackgroundLoop<Key> = {
    underWay,
    begin(key, work) {
      const ended = work.catch(report).finally(() => {
        underWay.delete(key);
        if (pollsAtEnds) woken.resolve();
      });
      underWay.set(key, ended);
    },
    wake: () => woken.resolve(),
    isStopped: () => stopped,
    async stop(graceMs) {
      stopped = true;
      woken.resolve();
      await withinMs(
        running.then(() => Promise.all(underWay.values())),
        graceMs,
      );
    },
  };
  const running = run();
  return loop;
}

async function withinMs(promise: Promise<unknown>, ms: number): Promise<void> {
  const elapsed = new AbortController();
  const timer = sleep(ms, undefined, { ref: false, signal: elapsed.signal }).catch(() => undefined);
  await Promise.race([promise, timer]);
  elapsed.abort();
}
