import { EventEmitter } from "node:events";
import { type JobHelpers, Logger, parseCronItems, type Runner, run, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import { readPoolUse } from "#lib/db/connection/pool-use.ts";
import type { PoolUse } from "#lib/domain/figures.ts";

export interface JobQueue {
  /** Takes no more jobs, waits for running ones, and unlocks those that exceed the grace period. */
  stop(): Promise<void>;
}

export interface JobQueueOptions {
  readonly databaseUrl: string;
  readonly jobs: Readonly<Record<string, (payload: unknown) => Promise<void>>>;
  /** Job → cron expression (UTC); queued once across instances. */
  readonly schedule: Readonly<Record<string, string>>;
  readonly log: (level: "error" | "debug", message: string, error?: unknown) => void;
  readonly stopGraceMs: number;
  /** Called with each name under which jobs are locked, before any is. */
  readonly onWorker: (name: string) => void;
  /** Called with the queue's connections, again after a restart. */
  readonly onPool: (use: () => PoolUse) => void;
}

const CONCURRENT_JOBS = 3;
/** One to listen, and one per job. */
const CONNECTIONS = CONCURRENT_JOBS + 1;
const CONNECT_TIMEOUT_MS = 5_000;
/** New jobs notify; polling finds those scheduled for later. */
const POLL_EVERY_MS = 5_000;
const RESTART_AFTER_MS = 10_000;
const MAX_ATTEMPTS = 3;

/**
 * Runs jobs until stopped, and restarts after a database outage. Creates its schema `graphile_worker` at the first
 * start.
 */
export function startJobQueue(options: JobQueueOptions): JobQueue {
  const stopping = new AbortController();

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runOnce(options, stopping.signal).catch((error) => {
        if (!stopping.signal.aborted) options.log("error", "the job queue has stopped", error);
      });
      await pause(RESTART_AFTER_MS, stopping.signal);
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

async function runOnce(options: JobQueueOptions, stopping: AbortSignal): Promise<void> {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: CONNECTIONS,
    application_name: "license-desk jobs",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // The query fails as well.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  options.onPool(() => readPoolUse(pool));
  const events: WorkerEvents = new EventEmitter();
  const lockHolders: string[] = [];
  events.on("pool:create", ({ workerPool }) => {
    lockHolders.push(workerPool.id);
    options.onWorker(workerPool.id);
  });
  try {
    const runner = await startRunner(options, pool, events, stopping);
    const stop = () => void runner.stop().catch(() => {});
    if (stopping.aborted) stop();
    stopping.addEventListener("abort", stop);
    await runner.promise;
    // An abandoned job would otherwise stay locked for hours.
    await pool.query("select graphile_worker.force_unlock_workers($1)", [lockHolders]);
  } finally {
    await pool.end();
  }
}

function startRunner(
  { jobs, schedule, log, stopGraceMs }: JobQueueOptions,
  pgPool: pg.Pool,
  events: WorkerEvents,
  stopping: AbortSignal,
): Promise<Runner> {
  const tasks = Object.entries(jobs).map(([name, job]) => [
    name,
    // A job beyond the grace period fails here; its rows have leases of their own.
    (payload: unknown, { abortPromise }: JobHelpers) => Promise.race([job(payload), abortPromise]),
  ]);
  const cronItems = Object.entries(schedule).map(([task, match]) => ({
    task,
    match,
    identifier: task,
    options: { jobKey: task, jobKeyMode: "preserve_run_at" as const, maxAttempts: MAX_ATTEMPTS, backfillPeriod: 0 },
  }));
  return run({
    pgPool,
    events,
    taskList: Object.fromEntries(tasks),
    parsedCronItems: parseCronItems(cronItems),
    concurrency: CONCURRENT_JOBS,
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
