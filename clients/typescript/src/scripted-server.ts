/** A server that plays the API for tests. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type ClientOptions, LicenseDesk } from "./index.ts";

export type Reply = (response: ServerResponse, request: IncomingMessage) => unknown;

interface Received {
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export const API_KEY = "lk_live_secret";

export const json =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
export const failure = (status: number, code: string, headers?: Record<string, string>) =>
  json(status, { success: false, error: true, code, message: `${code}.`, details: { field: "why" } }, headers);
export const registered = { license_id: 12, license_key: "LIC-1", price: 14.5, currency: "USD", balance_after: 85.5 };
export const success = json(200, { success: true, message: "", data: registered });
export const pending = json(202, {
  success: true,
  message: "",
  data: { ...registered, status: "pending", operation_id: "o" },
});
export const lost: Reply = (response) => response.socket?.destroy();
export const cutShort: Reply = (response) => {
  response.writeHead(200, { "content-length": "500" }).write('{"success":true,');
  setTimeout(() => response.socket?.destroy(), 20);
};
export const silent: Reply = () => undefined;

/** A server with one reply for each request, in order; the last one repeats. */
export async function serve(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const reply = replies[Math.min(received.length, replies.length - 1)];
    const { url = "", headers } = request;
    received.push({ target: url, headers, body: await text(request) });
    reply?.(response, request);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { desk: new LicenseDesk({ baseUrl, apiKey: API_KEY, ...options }), baseUrl, received };
}
