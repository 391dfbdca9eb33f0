import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type JobHelpers, Logger, type Runner, run, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import { SOCKET_TIMEOUT_MS } from "#lib/db/connection/client.ts";
import { readPoolUse } from "#lib/db/connection/pool-use.ts";
import { applySocketTimeout, isSilence } from "#lib/db/connection/socket-timeout.ts";
import { UtcClient } from "#lib/db/connection/utc-client.ts";
import type { PoolUse } from "#lib/domain/figures.ts";

export interface JobQueue {
  /** Takes no more jobs, waits for running ones, and unlocks those that exceed the grace period. */
  stop(): Promise<void>;
}

export interface JobQueueOptions {
  readonly databaseUrl: string;
  readonly jobs: Readonly<Record<string, (payload: unknown) => Promise<void>>>;
  /** The job for which a slot is kept free. */
  readonly reservedFor: string | null;
  readonly log: (level: "error" | "debug", message: string, error?: unknown) => void;
  readonly stopGraceMs: number;
  /** Called with all names under which jobs may be locked, before any is; with none once the queue has stopped. */
  readonly onWorkers: (names: readonly string[]) => void;
  /** Called with the queue's connections, again after a restart. */
  readonly onPool: (use: () => PoolUse) => void;
}

/** Besides the reserved slot. */
const SHARED_SLOTS = 2;
/** Two listen. Jobs use one only to start and to end. */
const CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/** New jobs notify; polling finds those scheduled for later. */
const POLL_EVERY_MS = 5_000;
const RESTART_AFTER_MS = 10_000;

/**
 * Runs jobs until stopped, and restarts after a database outage. Creates its schema `graphile_worker` at the first
 * start.
 */
export function startJobQueue(options: JobQueueOptions): JobQueue {
  const stopping = new AbortController();
  const lockHolders = new Set<string>();

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runOnce(options, lockHolders, stopping.signal).catch((error) => {
        if (!stopping.signal.aborted) options.log("error", "the job queue has stopped", error);
      });
      // Rejected when stopped.
      await sleep(RESTART_AFTER_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }
  const running = keepRunning();

  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

async function runOnce(options: JobQueueOptions, lockHolders: Set<string>, stopping: AbortSignal): Promise<void> {
  const pool = new pg.Pool({
    Client: UtcClient,
    connectionString: options.databaseUrl,
    max: CONNECTIONS,
    application_name: "license-desk jobs",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // One that listens notices by it that the server's machine is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  applySocketTimeout(pool, SOCKET_TIMEOUT_MS);
  // The query fails as well.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  options.onPool(() => readPoolUse(pool));
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => {
    lockHolders.add(workerPool.id);
    options.onWorkers([...lockHolders]);
  });
  const silence = Promise.withResolvers<never>();
  silence.promise.catch(() => {});
  // The server may yet carry out the statement, and lock a job that nobody runs.
  events.on("worker:getJob:error", ({ error }) => isSilence(error) && silence.reject(error));
  /** An abandoned job would otherwise stay locked for hours. */
  const unlock = (names: readonly string[]) => pool.query("select unlock_jobs($1)", [names]);
  const runners: Runner[] = [];
  const stop = () => Promise.allSettled(runners.map((runner) => runner.stop()));
  const stopNow = () => void stop();
  stopping.addEventListener("abort", stopNow);
  let again: NodeJS.Timeout | undefined;
  try {
    const former = [...lockHolders];
    if (former.length > 0) {
      await unlock(former);
      const forget = () => former.map((name) => lockHolders.delete(name));
      again = setTimeout(() => unlock(former).then(forget, () => {}), RESTART_AFTER_MS);
    }
    runners.push(await startRunner(options, { pool, events, stopping, slots: SHARED_SLOTS }));
    const { reservedFor } = options;
    if (reservedFor) runners.push(await startRunner(options, { pool, events, stopping, slots: 1, only: reservedFor }));
    if (stopping.aborted) stopNow();
    await Promise.race([...runners.map((runner) => runner.promise), silence.promise]);
  } finally {
    clearTimeout(again);
    stopping.removeEventListener("abort", stopNow);
    await stop();
    await Promise.allSettled(runners.map((runner) => runner.promise));
    await unlock([...lockHolders]).finally(() => pool.end());
    options.onWorkers([]);
  }
}

interface RunnerOptions {
  readonly pool: pg.Pool;
  readonly events: WorkerEvents;
  readonly stopping: AbortSignal;
  readonly slots: number;
  /** Default: all jobs. */
  readonly only?: string;
}

function startRunner(
  { jobs, log, stopGraceMs }: JobQueueOptions,
  { pool, events, stopping, slots, only }: RunnerOptions,
): Promise<Runner> {
  const tasks = Object.entries(jobs)
    .filter(([name]) => only === undefined || name === only)
    .map(([name, job]) => [
      name,
      // A job beyond the grace period fails here; its rows have leases of their own.
      (payload: unknown, { abortPromise }: JobHelpers) => Promise.race([job(payload), abortPromise]),
    ]);
  return run({
    pgPool: pool,
    events,
    taskList: Object.fromEntries(tasks),
    concurrency: slots,
    pollInterval: POLL_EVERY_MS,
    gracefulShutdownAbortTimeout: stopGraceMs,
    // The process stops in its own order.
    noHandleSignals: true,
    // A job abandoned at the end is no error.
    logger: new Logger(() => (level, message, meta) => {
      log(level === "error" && !stopping.aborted ? "error" : "debug", message, meta?.error);
    }),
  });
}
