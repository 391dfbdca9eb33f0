/**
 * The API in its own process for fault tests: listener and functions of `server.ts`, without Next. Sends its port to
 * its parent, and ends with it. API_PORT keeps the port across restarts.
 */
import { flushCompileCache } from "node:module";
import type { AddressInfo } from "node:net";
import { readEnv } from "#lib/env.ts";
import { apiFetch } from "#lib/http/route-table.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { createApiListener } from "#lib/server/api-listener.ts";
import { closeGracefully, createHttpServer, listen } from "#lib/server/http-server.ts";
import { protectionFromEnv } from "#lib/server/protection.ts";
import { startWorker } from "#lib/worker.ts";

const GRACE_MS = 5_000;

const protection = protectionFromEnv(readEnv());
const handle = createApiListener(apiFetch, protection, (error) => process.stderr.write(`${error}\n`));
const server = createHttpServer((request, response) => void handle(request, response), protection);
await listen(server, "127.0.0.1", Number(process.env.API_PORT ?? 0));
const env = readEnv();
const worker = env.WORKER === "on" ? startWorker(getRuntime(), { databaseUrl: String(env.DATABASE_URL) }) : null;

async function stop(): Promise<never> {
  await closeGracefully(server, GRACE_MS);
  await worker?.stop();
  await closeRuntime();
  process.exit(0);
}
process.once("SIGTERM", stop).once("disconnect", stop);
process.send?.({ port: (server.address() as AddressInfo).port });
// The next server finds its code compiled: this one will be killed.
flushCompileCache();
