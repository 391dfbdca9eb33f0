/**
 * The API alone, as a process of its own that faults are tried on: the same listener and functions as `server.ts`,
 * without Next, so that it starts in a moment. It tells its port to the process that started it, and ends with it.
 */
import { flushCompileCache } from "node:module";
import type { AddressInfo } from "node:net";
import { readEnv } from "#lib/env.ts";
import { apiFetch } from "#lib/http/route-table.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { createApiListener } from "#lib/server/api-listener.ts";
import { closeGracefully, createHttpServer, listen } from "#lib/server/http-server.ts";

const GRACE_MS = 5_000;

const handle = createApiListener(apiFetch, (error) => process.stderr.write(`${error}\n`));
const server = createHttpServer((request, response) => void handle(request, response), {
  sendTimeoutMs: readEnv().SEND_TIMEOUT_MS,
});
await listen(server, "127.0.0.1", 0);

async function stop(): Promise<never> {
  await closeGracefully(server, GRACE_MS);
  await closeRuntime();
  process.exit(0);
}
process.once("SIGTERM", stop).once("disconnect", stop);
process.send?.({ port: (server.address() as AddressInfo).port });
// Whoever is started next finds its code compiled: this one will not end in an orderly way.
flushCompileCache();
