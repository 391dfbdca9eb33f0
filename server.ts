/** One port for everything: /api/v1 and /mcp straight to the API's functions, the rest to Next. `npm start` runs this file. */
import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { stopPrograms } from "#lib/embedded/programs.ts";
import { readEnv } from "#lib/env.ts";
import { enableCompiledCode } from "#lib/server/compile-cache.ts";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { configureHeap } from "#lib/server/heap.ts";
import { onNpmEnded } from "#lib/server/npm-parent.ts";

const root = import.meta.dirname;

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

function logError(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const detail = process.env.LOG_LEVEL === "debug" && error instanceof Error ? `\n${error.stack}` : "";
  process.stderr.write(`${message}${detail}\n`);
}

/** How to undo each step of the start, in the order of the steps. */
const cleanups: (() => Promise<void> | void)[] = [];
const shutdown = new AbortController();
/** How long a load balancer may still send requests after SIGTERM. */
let shutdownDelayMs = 0;
/** Whether SIGHUP replaces the processes of this one. */
let isSupervisor = false;
let reload: (() => Promise<void>) | undefined;

async function start(): Promise<void> {
  configureHeap();
  const env = readEnv();
  isSupervisor = cluster.isPrimary && env.WEB_CONCURRENCY !== undefined;
  await ensureBuilt(root, log, shutdown.signal);
  enableCompiledCode(env.DATA_DIR, root);
  Object.assign(process.env, { NODE_ENV: "production", INSTALLATION_ROOT: root });
  const options = {
    env,
    root,
    log,
    logError,
    signal: shutdown.signal,
    addCleanup: (cleanup: () => Promise<void> | void) => void cleanups.push(cleanup),
    onDatabaseLost: (error: Error) => {
      logError(error);
      void stop(1);
    },
  };
  const { WEB_CONCURRENCY: concurrency } = env;
  if (cluster.isPrimary && concurrency !== undefined) {
    const { serveCluster } = await import("#lib/serve-cluster.ts");
    reload = await serveCluster({ ...options, concurrency });
  } else {
    const { serve } = await import("#lib/serve.ts");
    await serve(options);
    shutdownDelayMs = env.SHUTDOWN_DELAY_MS;
  }
}

async function cleanUp(): Promise<boolean> {
  let clean = true;
  for (const cleanup of cleanups.splice(0).reverse()) {
    try {
      await cleanup();
    } catch (error) {
      logError(error);
      clean = false;
    }
  }
  // Such as the temporary database in which a backup is being checked.
  await stopPrograms();
  return clean;
}

/** Ends the process once the step of the start that is under way, if any, has come to its end. */
async function stop(exitCode: number, delayMs = 0): Promise<void> {
  if (shutdown.signal.aborted) return;
  shutdown.abort();
  await started;
  await sleep(delayMs);
  const clean = await cleanUp();
  process.exit(clean ? exitCode : 1);
}

process.on("SIGINT", () => void stop(0));
/** One process alone ends, as when its terminal is closed: its database would keep running. */
process.on("SIGHUP", () => void (isSupervisor ? started.then(() => reload?.()) : stop(0, shutdownDelayMs)));
process.on("SIGTERM", () => void stop(0, shutdownDelayMs));
onNpmEnded(() => void stop(0));

const started = start().then(
  () => true,
  (error) => {
    if (!shutdown.signal.aborted) logError(error);
    return false;
  },
);
if (!(await started)) await stop(1);
