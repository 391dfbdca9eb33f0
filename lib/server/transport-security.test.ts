import { once } from "node:events";
import type { Server } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { readEnv } from "#lib/env.ts";
import { securityHeaders } from "#lib/http/security-headers.ts";
import { newProtection } from "#tests/support/protection.ts";
import { exchange, readAnswer } from "#tests/support/raw-http.ts";
import { closeGracefully, createHttpServer } from "./http-server.ts";
import { protectionFromEnv } from "./protection.ts";

let server: Server | undefined;
afterEach(async () => {
  if (server) await closeGracefully(server, 0);
});

/** Serves a page with this public address. */
async function serveAt(publicUrl: string): Promise<number> {
  const { securityHeaders: ours } = protectionFromEnv(readEnv({ NODE_ENV: "production", NEXTAUTH_URL: publicUrl }));
  server = createHttpServer((_, response) => void response.end("page"), newProtection({ securityHeaders: ours }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as { readonly port: number }).port;
}

const requests = {
  "a page": "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  "a static file": "GET /_next/static/x.js HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  "a download": "GET /licenses/export HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  "a rejected body":
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
  "a body that is too large": "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\nx",
};

describe.each(Object.entries(requests))("%s", (_, request) => {
  test("tells browsers to stay with https for two years if the public address is https", async () => {
    const answer = readAnswer(await exchange(await serveAt("https://desk.example.com"), request));
    expect(answer.headers).toMatchObject({ ...securityHeaders, "Strict-Transport-Security": "max-age=63072000" });
  });

  test("does not for http: the address would become unreachable", async () => {
    const answer = readAnswer(await exchange(await serveAt("http://desk.example.com"), request));
    expect(answer.headers).toMatchObject(securityHeaders);
    expect(answer.headers).not.toHaveProperty("Strict-Transport-Security");
  });
});
