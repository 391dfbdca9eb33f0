/** The API of one License Desk in a process that tests can kill. Prints its port. */
import type { AddressInfo } from "node:net";
import { readEnv } from "#lib/env.ts";
import { apiFetch } from "#lib/http/route-table.ts";
import { createApiListener } from "#lib/server/api-listener.ts";
import { createHttpServer, listen } from "#lib/server/http-server.ts";
import { protectionFromEnv } from "#lib/server/protection.ts";

const protection = protectionFromEnv(readEnv());
const handle = createApiListener(apiFetch, protection, (error) => process.stderr.write(`${error}\n`));
const server = createHttpServer((request, response) => void handle(request, response), protection);
await listen(server, "127.0.0.1", Number(process.env.PORT ?? 0));
process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
