import { subscribe } from "node:diagnostics_channel";
import { Server, ServerResponse } from "node:http";
import { API_HEADERS } from "#lib/http/response.ts";
import { isProtected, protectServer } from "./protect-server.ts";
import { protectionFromEnv } from "./protection.ts";
import { escapeApiPath } from "./request-target.ts";
import { requireEnv } from "./require-env.ts";

/** Next answers 400 or 500 to all others. */
const NEXT_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Protects the server of a stock Next process. Next does not expose it, so it is found at its first connection, before
 * a byte is read. Our own server is already protected. An invalid or incomplete environment ends the process.
 */
export function protectNextServer(): void {
  const protection = { ...protectionFromEnv(readEnvOrExit()), apiMethods: NEXT_METHODS };
  subscribe("net.server.socket", (message) => {
    const server = findHttpServer(message);
    if (server === null || isProtected(server)) return;
    // The guard calls it with the others, after its checks.
    server.prependListener("request", escapeApiPath);
    protectServer(server, protection);
    server.prependListener("request", (_, response) => keepHeaderCase(response));
  });
}

/** After an error, Next would listen and answer 500 to every request. */
function readEnvOrExit() {
  try {
    return requireEnv(["DATABASE_URL", "API_KEY_PEPPER", "NEXTAUTH_SECRET", "ENCRYPTION_KEY"]);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function findHttpServer(message: unknown): Server | null {
  const socket = propertyOf(message, "socket");
  const server = propertyOf(socket, "server");
  return server instanceof Server ? server : null;
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

const documentedNames = new Map(API_HEADERS.map((name) => [name.toLowerCase(), name]));

/** Next sends the headers of route handlers in lower case. */
function keepHeaderCase(response: ServerResponse): void {
  response.setHeader = (name, value) =>
    ServerResponse.prototype.setHeader.call(response, documentedNames.get(name.toLowerCase()) ?? name, value);
}
