/** One port for everything: /api/v1 and /mcp straight to the API's functions, the rest to Next. `npm start` runs this file. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { readEnv } from "#lib/env.ts";
import { isApiTarget, isMcpTarget } from "#lib/http/reject-request.ts";
import { createApiListener } from "#lib/server/api-listener.ts";
import { boot } from "#lib/server/boot.ts";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { configureHeap } from "#lib/server/heap.ts";
import { closeGracefully, createHttpServer, listen } from "#lib/server/http-server.ts";
import { onNpmEnded } from "#lib/server/npm-parent.ts";
import { protectionFromEnv } from "#lib/server/protection.ts";
import { quietOutages } from "#lib/server/quiet-outages.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const root = import.meta.dirname;
const SHUTDOWN_GRACE_MS = 10_000;

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

async function startNext(host: string, port: number): Promise<Handler> {
  const { default: next } = await import("next");
  quietOutages();
  const app = next({ dev: false, dir: root, hostname: host, port });
  await app.prepare();
  return app.getRequestHandler();
}

async function start(): Promise<void> {
  configureHeap();
  const env = readEnv();
  await ensureBuilt(root, log, shutdown.signal);
  Object.assign(process.env, { NODE_ENV: "production" });
  // Loaded while the database starts; they read the environment at the first request only.
  const modules = Promise.all([
    import("#lib/http/route-table.ts"),
    import("#lib/mcp/handle.ts"),
    import("#lib/runtime.ts"),
    import("#lib/worker.ts"),
  ]);
  modules.catch(() => undefined);
  const { url, port, databaseUrl, publishUrl } = await boot({
    env,
    log,
    signal: shutdown.signal,
    addCleanup: (cleanup) => cleanups.push(cleanup),
    onDatabaseLost: (error) => {
      logError(error);
      void stop(1);
    },
  });

  const [{ apiFetch }, { handleMcpRequest }, { closeRuntime, getRuntime }, { startWorker }] = await modules;
  cleanups.push(() => closeRuntime());
  await getRuntime().processLease.ready();
  const protection = protectionFromEnv(readEnv(), shutdown.signal);
  const handleApi = createApiListener(
    (request, arrival) => (isMcpTarget(arrival.target) ? handleMcpRequest : apiFetch)(request, arrival),
    protection,
    logError,
  );
  const pages = Promise.withResolvers<Handler>();
  const server = createHttpServer((request, response) => {
    if (isApiTarget(request.url ?? "")) void handleApi(request, response);
    else void pages.promise.then((handlePage) => handlePage(request, response));
  }, protection);
  shutdown.signal.throwIfAborted();
  await listen(server, env.HOST, port);
  shutdownDelayMs = env.SHUTDOWN_DELAY_MS;
  cleanups.push(() => closeGracefully(server, SHUTDOWN_GRACE_MS));
  publishUrl();
  if (env.WORKER === "on" && !getRuntime().safeMode) {
    const worker = startWorker(getRuntime(), { databaseUrl });
    cleanups.push(() => worker.stop());
  }
  log(`License Desk answers at ${url}`);
  // Loading Next takes longer than all the rest; the API answers meanwhile, and pages wait for it.
  pages.resolve(await startNext(env.HOST, port));
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
