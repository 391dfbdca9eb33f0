import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";

export interface SupervisorOptions {
  /** The environment of each process, beyond this one's. */
  readonly processes: readonly Readonly<Record<string, string>>[];
  /** Called with each message of a process that is not about its start; a result is sent back. */
  readonly answer: (message: unknown) => Promise<object | null> | object | null;
  readonly log: (line: string) => void;
}

export interface Supervisor {
  /** Replaces one process after the other by a new one, from the sources on disk, once that one is ready. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** What a process sends its primary when it answers requests, or runs the worker. */
export const READY = { kind: "ready" } as const;

const READY_WITHIN_MS = 120_000;
/** Longer than a process takes to finish its requests and its work. */
const STOP_WITHIN_MS = 30_000;
const RESTART_AFTER_MS = 1_000;

/** One place of the cluster, which always has a process. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  current: Worker | null;
}

/**
 * Starts processes that share the port, and replaces those that end.
 * @throws Error if one of the first does not start
 */
export async function supervise({ processes, answer, log }: SupervisorOptions): Promise<Supervisor> {
  const places = processes.map((env): Place => ({ env, current: null }));
  let isStopping = false;
  let reloading = Promise.resolve();

  async function start(place: Place): Promise<Worker> {
    const worker = cluster.fork(place.env);
    worker.on("message", async (message: unknown) => {
      const reply = isReady(message) ? null : await answer(message);
      if (reply !== null && worker.isConnected()) worker.send(reply);
    });
    // A message to a dead process; its end is noticed below.
    worker.on("error", () => undefined);
    await becomeReady(worker);
    worker.once("exit", (code, signal) => {
      if (place.current !== worker || isStopping) return;
      log(`Process ${worker.process.pid} ended (${signal ?? `exit code ${code}`}) and is replaced.`);
      place.current = null;
      void keepTrying(place);
    });
    if (worker.isDead()) throw new Error(`Process ${worker.process.pid} ended as soon as it was ready.`);
    return worker;
  }

  async function keepTrying(place: Place): Promise<void> {
    while (!isStopping && place.current === null) {
      const started = await start(place).catch((error: Error) => log(error.message));
      if (!started) await sleep(RESTART_AFTER_MS);
      else if (isStopping || place.current !== null) await end(started);
      else {
        place.current = started;
        log(`Process ${started.process.pid} has taken its place.`);
      }
    }
  }

  async function replaceAll(): Promise<void> {
    for (const place of places) {
      if (isStopping) return;
      const started = await start(place).catch((error: Error) => {
        log(`Not reloaded: ${error.message} The others continue.`);
        return null;
      });
      if (started === null) return;
      const previous = place.current;
      place.current = started;
      if (previous) await end(previous);
    }
    log(`Reloaded: ${places.map(({ current }) => current?.process.pid).join(", ")}.`);
  }

  const supervisor: Supervisor = {
    reload() {
      reloading = reloading.then(replaceAll);
      return reloading;
    },
    async stop() {
      isStopping = true;
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && end(worker)));
    },
  };
  try {
    await Promise.all(
      places.map(async (place) => {
        place.current = await start(place);
      }),
    );
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return supervisor;
}

function isReady(message: unknown): boolean {
  return typeof message === "object" && message !== null && "kind" in message && message.kind === READY.kind;
}

async function becomeReady(worker: Worker): Promise<void> {
  const { pid } = worker.process;
  const giveUp = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on("message", (message: unknown) => isReady(message) && resolve());
  worker.once("exit", () => reject(new Error(`Process ${pid} did not start: see above.`)));
  sleep(READY_WITHIN_MS, undefined, { signal: giveUp.signal, ref: false }).then(
    () => {
      worker.process.kill("SIGKILL");
      reject(new Error(`Process ${pid} was not ready within ${READY_WITHIN_MS / 1_000} s.`));
    },
    () => undefined,
  );
  await promise.finally(() => giveUp.abort());
}

/** Ends a process once it has finished its requests. */
async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  // Not `worker.kill`, which disconnects first.
  worker.process.kill("SIGTERM");
  const timer = setTimeout(() => worker.process.kill("SIGKILL"), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}
