/** The parts of `server.ts` that answer an API request, without Next. */
import { readEnv } from "#lib/env.ts";
import { apiFetch } from "#lib/http/route-table.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { createApiListener } from "#lib/server/api-listener.ts";
import { configureHeap } from "#lib/server/heap.ts";
import { closeGracefully, createHttpServer, listen } from "#lib/server/http-server.ts";
import { protectionFromEnv } from "#lib/server/protection.ts";

configureHeap();
const protection = protectionFromEnv(readEnv());
const handleApi = createApiListener(apiFetch, protection, (error) => {
  process.stderr.write(`${error}\n`);
});
const server = createHttpServer((request, response) => void handleApi(request, response), protection);

process.on("SIGTERM", async () => {
  await closeGracefully(server, 1_000);
  await closeRuntime();
  process.exit(0);
});

await listen(server, "127.0.0.1", Number(process.env.PORT));
