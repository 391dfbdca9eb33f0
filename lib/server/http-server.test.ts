import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { isApiTarget } from "#lib/http/reject-request.ts";
import { newProtection } from "#tests/support/protection.ts";
import { createApiListener } from "./api-listener.ts";
import { closeGracefully, createHttpServer, LAST_ANSWERS_MS, listen, PortTakenError } from "./http-server.ts";

let server: Server | undefined;

afterEach(async () => {
  if (server) await closeGracefully(server, 0);
});

async function serve(fetch: Parameters<typeof createApiListener>[0]): Promise<number> {
  const protection = newProtection();
  const handle = createApiListener(fetch, protection, () => undefined);
  server = createHttpServer((request, response) => {
    if (isApiTarget(request.url ?? "")) void handle(request, response);
    else response.end("page");
  }, protection);
  const port = await findFreePort();
  await listen(server, "127.0.0.1", port);
  return port;
}

/** Sends raw bytes and returns everything received until the connection ends. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.write(text);
  await once(socket, "close");
  return received;
}

const echoPath: Parameters<typeof createApiListener>[0] = async (request, { peerAddress }) =>
  new Response(`${new URL(request.url).pathname} ${peerAddress}`);

test.each([
  "/api/v1",
  "/api/v1/",
  "/api/v1?endpoint=x",
  "/api/v1//x",
  "/api/v1/%zz",
  "/api/v1/%00",
  "/api/v1/a%2fb",
  "/mcp",
  "/mcp/",
  "/mcp?x",
])("%s belongs to the API", async (path) => {
  const port = await serve(echoPath);
  const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 200 OK.* 127\.0\.0\.1$/s);
});

test.each(["/API/V1", "/api/v10", "/api", "/api%2fv1/x", "/mcps", "/mcp/x", "/MCP"])(
  "%s does not belong to the API",
  async (path) => {
    const port = await serve(echoPath);
    expect(await exchange(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).toContain("page");
  },
);

test("an absolute URL as the request target is handled as its path", async () => {
  const port = await serve(echoPath);
  const request = "GET http://elsewhere/api/v1/licenses HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  expect(await exchange(port, request)).toContain("/api/v1/licenses 127.0.0.1");
});

test.each([
  ["a target that is not a path", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["no Host", "GET /api/v1 HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["a malformed Host", "GET /api/v1 HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"],
  [
    "two lengths, which proxies interpret differently",
    "POST /api/v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
])("400 and the end of the connection for %s", async (_what, request) => {
  const port = await serve(echoPath);
  expect(await exchange(port, request)).toMatch(/^HTTP\/1.1 400 /);
});

test("a client that sends ten megabytes receives the rejection, and the server does not read them all", async () => {
  const port = await serve(async () => new Response("too large", { status: 413 }));
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1`, { method: "POST", body: new Uint8Array(10_000_000) });
  expect([answer.status, await answer.text()]).toEqual([413, "too large"]);
});

test("an error of the API is a 500 of its interface and hides the cause", async () => {
  const port = await serve(async () => {
    throw new Error("secret");
  });
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1`);
  const requestId = String(answer.headers.get("x-request-id"));
  expect(requestId).toMatch(/^req_/);
  const message = `Something went wrong on our side. Contact us with the request id ${requestId}.`;
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { success: false, error: true, code: "SERVER_ERROR", message, details: { request_id: requestId } },
  ]);
});

test("closing completes requests in progress and accepts no new ones", async () => {
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const port = await serve(async () => {
    begun.resolve();
    await finish.promise;
    return new Response("done");
  });
  const underWay = fetch(`http://127.0.0.1:${port}/api/v1`);
  await begun.promise;
  const closed = server && closeGracefully(server, 5_000);
  await expect.poll(() => server?.listening, { interval: 1 }).toBe(false);
  await expect(fetch(`http://127.0.0.1:${port}/api/v1`)).rejects.toThrow();
  finish.resolve();
  expect(await (await underWay).text()).toBe("done");
  await closed;
});

test("a port in use is reported in one sentence", async () => {
  const port = await serve(echoPath);
  const second = createHttpServer(() => undefined, newProtection());
  await expect(listen(second, "127.0.0.1", port)).rejects.toThrow(PortTakenError);
});

test.each(["/api/v1/x", "/page"])(
  "a stopping server answers on connections that are kept, and ends them by it: %s",
  async (path) => {
    const port = await serve(echoPath);
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    const ask = () => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    ask();
    await expect.poll(() => received).toMatch(/^HTTP\/1.1 200/);
    expect(received).not.toMatch(/Connection: close/i);
    received = "";
    const closed = server && closeGracefully(server, 5_000);
    ask();
    await once(socket, "close");
    expect(received).toMatch(/^HTTP\/1.1 200/);
    expect(received).toMatch(/Connection: close/i);
    await closed;
  },
);

test("closing answers the requests of connections that wait to be accepted", async () => {
  const port = await serve(async () => new Response("done"));
  const request = "POST /api/v1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";
  // The kernel connects them before this process accepts any.
  const answers = Array.from({ length: 20 }, () => exchange(port, request));
  const closed = server && closeGracefully(server, 5_000);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 OK.*done$/s);
  await closed;
});

test("closing answers a request that arrives when idle connections are closed", async () => {
  const port = await serve(async () => new Response("done"));
  const socket = connect(port, "127.0.0.1");
  const request = "GET /api/v1 HTTP/1.1\r\nHost: a\r\n\r\n";
  socket.write(request);
  expect(String(await once(socket, "data"))).toContain("200 OK");
  const closed = server && closeGracefully(server, 5_000);
  await sleep(50);
  // From the end of a turn of the event loop on, the process is busy until idle connections are to be closed.
  await nextTurn();
  socket.write(request);
  for (const endsAtMs = performance.now() + LAST_ANSWERS_MS + 50; performance.now() < endsAtMs; );
  expect(String(await once(socket, "data"))).toMatch(/200 OK.*Connection: close.*done$/is);
  await closed;
});
