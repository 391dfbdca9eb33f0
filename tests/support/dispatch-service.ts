/** Services with the dispatch interface and scripted behavior. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Server as TcpServer } from "node:net";
import { createDispatchProvider } from "#lib/adapters/provider-dispatch.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";

export type Behavior = (request: IncomingMessage, response: ServerResponse, body: string) => void;
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Timeout of the providers created here. */
export const TIMEOUT_MS = 400;
export const REFERENCE = "LIC-AAAAA-BBBBB-CCCCC-DDDDD";
export const provision: ProviderRequest = {
  idempotencyKey: "operation:0",
  action: "provision",
  reference: REFERENCE,
  providerReference: null,
  product: "3",
  cycle: "7",
  ipAddress: "198.51.100.7",
  cores: 1,
  expiresAt: "2027-04-10T12:00:00Z",
  previousExpiresAt: null,
};
export const changeIp: ProviderRequest = { ...provision, action: "set_address", providerReference: "12", cycle: null };
export const info = {
  license_id: 12,
  license_key: "LIC-1",
  product: "P",
  ip_address: "198.51.100.1",
  status: "active",
  issued_at: "2027-03-10T12:00:03Z",
  expires_at: "2027-04-10T12:00:03Z",
  days_remaining: 3,
  cores: 1,
  notes: `ref:${REFERENCE}`,
};

const closing: (() => void)[] = [];

/** Closes all services and providers created here. */
export function closeServices(): void {
  for (const close of closing.splice(0)) close();
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Behavior {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

export const refusal = (code: string, message = "No.") => ({ success: false, error: true, code, message, details: {} });
export const data = (value: unknown) => json(200, { success: true, data: value });

/** A service; behavior `byOperation` by `endpoint` or path, else `otherwise`. */
export async function service(otherwise: Behavior, byOperation: Record<string, Behavior> = {}) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body });
    const { searchParams, pathname } = new URL(url, "http://x");
    const operation = searchParams.get("endpoint") ?? pathname.slice("/api/v1/".length);
    (byOperation[operation] ?? otherwise)(request, response, body);
  });
  return { seen, ...(await listenOn(server)) };
}

export async function listenOn(server: Server | TcpServer, signingSecret: string | null = null) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const provider = connectTo(`http://127.0.0.1:${port}/api/v1/`, signingSecret);
  closing.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  return { provider, port };
}

export function connectTo(baseUrl: string, signingSecret: string | null = null): LicenseProvider {
  const provider = createDispatchProvider({
    name: "up",
    baseUrl,
    apiKey: "lk_live_secret",
    signingSecret,
    timeoutMs: TIMEOUT_MS,
    now: () => new Date(),
  });
  closing.push(() => void provider.close?.());
  return provider;
}
