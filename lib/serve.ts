import cluster from "node:cluster";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Env, readEnv } from "#lib/env.ts";
import { isApiTarget, isMcpTarget } from "#lib/http/reject-request.ts";
import { createApiListener } from "#lib/server/api-listener.ts";
import { type BootOptions, boot } from "#lib/server/boot.ts";
import { closeGracefully, createHttpServer, listen } from "#lib/server/http-server.ts";
import { protectionFromEnv } from "#lib/server/protection.ts";
import { quietNext } from "#lib/server/quiet-next.ts";
import { openStaticFiles } from "#lib/server/static-files.ts";
import { READY } from "#lib/server/supervise.ts";
import { startTracing } from "#lib/tracing.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface ServeOptions extends BootOptions {
  /** Folder of the sources. */
  readonly root: string;
  readonly logError: (error: unknown) => void;
}

const SHUTDOWN_GRACE_MS = 10_000;

/** Answers requests and runs the worker in this process, as the environment says. */
export async function serve(options: ServeOptions): Promise<void> {
  const { env, log, signal, addCleanup } = options;
  // Loaded while the database starts; they read the environment at the first request only.
  const modules = Promise.all([
    import("#lib/http/route-table.ts"),
    import("#lib/mcp/handle.ts"),
    import("#lib/runtime.ts"),
    import("#lib/worker.ts"),
  ]);
  modules.catch(() => undefined);
  addCleanup(await startTracing(env));
  const { url, port, databaseUrl, publishUrl } = await boot(options);

  const [{ apiFetch }, { handleMcpRequest }, { closeRuntime, getRuntime }, { startWorker }] = await modules;
  addCleanup(() => closeRuntime());
  await getRuntime().processLease.ready();
  const protection = protectionFromEnv(readEnv(), signal);
  const handleApi = createApiListener(
    (request, arrival) => (isMcpTarget(arrival.target) ? handleMcpRequest : apiFetch)(request, arrival),
    protection,
    options.logError,
  );
  const pages = Promise.withResolvers<Handler>();
  const handle: Handler = (request, response) => {
    // The next request goes elsewhere.
    if (signal.aborted) response.shouldKeepAlive = false;
    if (env.WORKER === "only") response.writeHead(404).end();
    else if (isApiTarget(request.url ?? "")) void handleApi(request, response);
    else void pages.promise.then((handlePage) => handlePage(request, response));
  };
  const loadPages = async () => pages.resolve(await startNext(options.root, env.HOST, port));
  // Siblings answer meanwhile.
  if (cluster.isWorker && env.WORKER !== "only") await loadPages();
  signal.throwIfAborted();
  if (!isWorkerOfCluster(env)) {
    const server = createHttpServer(handle, protection);
    await listen(server, env.HOST, port);
    addCleanup(() => closeGracefully(server, SHUTDOWN_GRACE_MS));
    publishUrl();
  }
  if (env.WORKER !== "off" && !getRuntime().safeMode) {
    const worker = startWorker(getRuntime(), { databaseUrl });
    addCleanup(() => worker.stop());
  }
  if (!cluster.isWorker) log(env.WORKER === "only" ? "License Desk runs the worker" : `License Desk answers at ${url}`);
  // Loading Next takes longer than all the rest; the API answers meanwhile, and pages wait for it.
  if (!cluster.isWorker && env.WORKER !== "only") await loadPages();
  process.send?.(READY);
}

/** Its siblings answer on the port. */
function isWorkerOfCluster(env: Env): boolean {
  return cluster.isWorker && env.WORKER === "only";
}

async function startNext(dir: string, hostname: string, port: number): Promise<Handler> {
  const { default: next } = await import("next");
  quietNext();
  const app = next({ dev: false, dir, hostname, port });
  const [answerFile] = await Promise.all([openStaticFiles(dir), app.prepare()]);
  const answerPage = app.getRequestHandler();
  return async (request, response) => {
    if (!(await answerFile(request, response))) await answerPage(request, response);
  };
}
