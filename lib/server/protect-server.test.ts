import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { isApiTarget } from "#lib/http/reject-request.ts";
import { newProtection } from "#tests/support/protection.ts";
import { exchange, type RawAnswer, readAnswer } from "#tests/support/raw-http.ts";
import { createApiListener } from "./api-listener.ts";
import { closeGracefully, createHttpServer, listen } from "./http-server.ts";
import type { Protection } from "./protection.ts";

const MB = 1024 * 1024;
let server: Server | undefined;

afterEach(async () => {
  if (server) await closeGracefully(server, 0);
});

/** A server whose API and pages report what they read. Pages may be slow. */
async function serve(changes: Partial<Protection> = {}, { pageMs = 0 } = {}): Promise<number> {
  const protection = newProtection(changes);
  const handleApi = createApiListener(
    async (request) => new Response(request.url.endsWith("/early") ? "early" : `api ${await request.text()}`),
    protection,
    () => undefined,
  );
  server = createHttpServer(async (request, response) => {
    if (isApiTarget(request.url ?? "")) return void handleApi(request, response);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    await sleep(pageMs);
    if (request.headers["x-echo"]) return void response.end(`page ${request.url}`);
    response.end(`page ${Buffer.concat(pieces)}`);
  }, protection);
  const port = await findFreePort();
  await listen(server, "127.0.0.1", port);
  return port;
}

async function ask(port: number, sent: string | Uint8Array): Promise<RawAnswer> {
  return readAnswer(await exchange(port, sent));
}

const post = (target: string, body: string, headers = "Content-Type: text/plain\r\n") =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const chunked = (target: string, body: string, headers = "Content-Type: text/plain\r\n") =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const get = (target: string, headers = "") => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

function expectApiError(answer: RawAnswer, status: number, api: "path" | "dispatch" | "mcp"): void {
  const { headers, body } = answer;
  expect(answer.status, answer.text).toBe(status);
  expect(headers).toMatchObject({
    "Content-Type": "application/json",
    "X-Content-Type-Options": "nosniff",
    "X-RateLimit-Limit": "60",
    "X-RateLimit-Remaining": expect.stringMatching(/^\d+$/),
    "X-RateLimit-Reset": expect.stringMatching(/^\d{10}$/),
    "X-Request-Id": expect.stringMatching(/^req_\S+$/),
    Connection: "close",
  });
  expect(Number(headers["X-RateLimit-Reset"])).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000));
  const code = status === 413 ? "PAYLOAD_TOO_LARGE" : api === "path" ? "INVALID_REQUEST" : "INVALID_PARAMETER";
  const message = expect.stringMatching(/^\S.*\.$/);
  const bodies = {
    path: { error: true, code, message, details: {} },
    dispatch: { success: false, error: true, code, message, details: {} },
    mcp: { jsonrpc: "2.0", id: null, error: { code: -32_000, message, data: { code, details: {} } } },
  };
  expect(JSON.parse(body)).toEqual(bodies[api]);
}

describe("contract 1.5: an unreadable request gets an error of the API", () => {
  const long = "x".repeat(20_000);
  test.each([
    ["no HTTP", 400, "path", "hello\r\n\r\n"],
    ["a TLS client", 400, "path", Buffer.from("16030102000100", "hex")],
    ["the preface of HTTP/2", 400, "path", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown version", 400, "path", "GET /api/v1/licenses HTTP/7.3\r\nHost: a\r\n\r\n"],
    ["an unknown method", 400, "dispatch", "GIVE /api/v1?endpoint=balance HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a header without a name", 400, "dispatch", "GET /api/v1/?endpoint=x HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"],
    ["a header without a name, on a path", 400, "path", "GET /api/v1/licenses HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"],
    ["no Host", 400, "path", "GET /api/v1/licenses HTTP/1.1\r\n\r\n"],
    ["no Host, for an operation", 400, "dispatch", "GET /api/v1 HTTP/1.1\r\n\r\n"],
    ["no Host, from an old client", 400, "dispatch", "GET /api/v1 HTTP/1.0\r\n\r\n"],
    ["an empty Host", 400, "path", "GET /api/v1/licenses HTTP/1.1\r\nHost:\r\n\r\n"],
    ["two Hosts", 400, "path", "GET /api/v1/licenses HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["an invalid Host", 400, "dispatch", "GET /api/v1/?endpoint=x HTTP/1.1\r\nHost: a b\r\n\r\n"],
    ["a Host with a path", 400, "path", "GET /api/v1/licenses HTTP/1.1\r\nHost: a/b\r\n\r\n"],
    ["no Host, for a page", 400, "path", "GET /sign-in HTTP/1.1\r\n\r\n"],
    ["no path", 400, "path", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a tunnel", 400, "path", "CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n"],
    ["non-ASCII bytes in the target", 400, "path", get("/api/v1/licenses?q=ä")],
    ["a backslash in the path", 400, "path", get("/api/v1\\licenses")],
    ["headers of 20 kB", 431, "path", get("/api/v1/licenses", `X: ${long}\r\n`)],
    ["headers of 20 kB, for an operation", 431, "dispatch", get("/api/v1/?endpoint=x", `X: ${long}\r\n`)],
    ["headers of 20 kB, for tools", 431, "mcp", get("/mcp", `X: ${long}\r\n`)],
    ["two lengths, for tools", 400, "mcp", post("/mcp", "a=b", "Transfer-Encoding: chunked\r\n")],
    ["an unknown expectation", 417, "path", get("/api/v1/licenses", "Expect: miracle\r\n")],
    ["an unknown expectation, for an operation", 417, "dispatch", get("/api/v1", "Expect: miracle\r\n")],
    ["two lengths", 400, "dispatch", post("/api/v1?endpoint=x", "a=b", "Transfer-Encoding: chunked\r\n")],
    ["a chunk without a length", 400, "path", chunked("/api/v1/license/verify", "{}").replace("2\r\n", "zz\r\n")],
    ["a large chunk extension", 413, "dispatch", chunked("/api/v1", "{}").replace("2\r\n", `2;${long}\r\n`)],
  ] as const)("%s: %d, of the %s interface", async (_what, status, api, sent) => {
    expectApiError(await ask(await serve(), sent), status, api);
  });

  test.each([
    ["the headers do not arrive", "GET /api/v1/licenses HTTP/1.1\r\n", "path"],
    ["nothing arrives", "", "path"],
    ["the body does not arrive", post("/api/v1?endpoint=x", "ab").slice(0, -1), "dispatch"],
    ["the body of a message does not arrive", post("/mcp", "{}").slice(0, -1), "mcp"],
    ["the body of a path does not arrive", chunked("/api/v1/license/verify", "ab").slice(0, -8), "path"],
  ] as const)("408 if %s in time", async (_what, sent, api) => {
    expectApiError(await ask(await serve({ receiveTimeoutMs: 300 }), sent), 408, api);
  });

  test("timeouts count as requests without a key: over the quota it is 429, and the next quota starts afterwards", async () => {
    const port = await serve();
    for (let sent = 0; sent < 60; sent++) await ask(port, "hello\r\n\r\n");
    const answer = await ask(port, "hello\r\n\r\n");
    expect(answer.status).toBe(429);
    expect(answer.headers["X-RateLimit-Remaining"]).toBe("0");
    expect(Number(answer.headers["Retry-After"])).toBeGreaterThan(0);
    expect(JSON.parse(answer.body).code).toBe("RATE_LIMITED");
  });

  test("a client that sends ten megabytes of anything reads the rejection", async () => {
    const port = await serve();
    expectApiError(await ask(port, Buffer.alloc(10 * MB, "x")), 400, "path");
  });

  test("the connection of an oversized body is announced to close, and closes, however much arrives", async () => {
    const port = await serve();
    for (const size of [1, 4, 8, 8.5, 9, 9.5, 10, 10.5, 11, 12]) {
      const received = await exchange(
        port,
        post("/api/v1/early", "x".repeat(size * MB), "").replace("Connection: close\r\n", ""),
      );
      expect(received).toMatch(/^HTTP.*\r\nConnection: close\r\n.*early$/s);
      expect(await exchange(port, chunked("/api/v1/early", "x".repeat(size * MB), ""))).toMatch(/early$/);
    }
  });

  test("the rejection follows a response in progress", async () => {
    const port = await serve({}, { pageMs: 100 });
    const text = await exchange(port, `${get("/sign-in")}hello\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 .*page HTTP\/1\.1 400 .*INVALID_REQUEST/s);
  });
});

describe("contract 1.7: a request for another protocol is served normally", () => {
  test.each(["h2c", "websocket", "TLS/1.0, HTTP/1.1"])("Upgrade: %s", async (protocol) => {
    const port = await serve();
    // As Next does after serving a page.
    server?.on("upgrade", () => undefined);
    const headers = `Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n`;
    for (const [target, word] of [
      ["/api/v1/licenses", "api"],
      ["/api/v1?endpoint=x", "api"],
      ["/sign-in", "page"],
    ] as const) {
      const answers = [
        await ask(port, get(target, headers)),
        await ask(
          port,
          post(target, "{}", `${headers}Content-Type: text/plain\r\n`).replace("Connection: close\r\n", ""),
        ),
      ];
      expect(answers.map(({ status, body }) => `${status} ${body}`)).toEqual([`200 ${word} `, `200 ${word} {}`]);
    }
  });
});

test("the address of a page has at most 8 KiB, because redirects repeat it in their headers", async () => {
  const port = await serve();
  const ofLength = (bytes: number) => get("/licenses?q=".padEnd(bytes, "x"), "Connection: close\r\n");
  expect((await ask(port, ofLength(8_192))).status).toBe(200);
  const long = await ask(port, ofLength(8_193));
  expect([long.status, long.headers["Content-Type"]]).toEqual([431, "text/plain"]);
});

test.each([
  ["/licenses/%?q=%", "/licenses/%25?q=%"],
  ["/licenses/%ff/%41", "/licenses/%25ff/%2541"],
  ["/licenses/%C3%A9?q=%ff", "/licenses/%C3%A9?q=%ff"],
])("the path of a page that cannot be decoded is taken literally: %s", async (sent, read) => {
  const port = await serve();
  expect((await ask(port, get(sent, "X-Echo: 1\r\nConnection: close\r\n"))).body).toBe(`page ${read}`);
});

describe("a body for a page is checked before anything reads it", () => {
  test("and then read unchanged, however it was cut on its way", async () => {
    const port = await serve();
    const text = `["ä ☂ 😀", {"a": "[[[[\\"{{{{"}]`.repeat(20);
    expect((await ask(port, post("/licenses", text))).body).toBe(`page ${text}`);
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (piece) => {
      received += piece;
    });
    for (const byte of Buffer.from(post("/licenses", text.slice(0, 40)))) {
      socket.write(Buffer.of(byte));
      await sleep(1);
    }
    await once(socket, "close");
    expect(received).toContain(`page ${text.slice(0, 40)}`);
  });

  const tooMuch = "[".repeat(MB);
  test.each([
    ["too large for next-auth", 413, post("/api/auth/callback/credentials", "x".repeat(16 * 1024 + 1))],
    ["too large for next-auth, without a length", 413, chunked("/api/auth/signin", "x".repeat(20_000))],
    ["too large for a server action", 413, post("/licenses", `"${tooMuch}"`)],
    ["too large for a server action, without a length", 413, chunked("/licenses", `"${tooMuch}"`)],
    [
      "too large for a form",
      413,
      post("/licenses", "x".repeat(100_000), "Content-Type: application/x-www-form-urlencoded\r\n"),
    ],
    ["a form of the browser", 415, post("/licenses", "x", "Content-Type: multipart/form-data; boundary=b\r\n")],
    [
      "too large for an import",
      413,
      post(
        "/licenses/import",
        `"${"x".repeat(6 * MB)}"`,
        `Content-Type: text/plain\r\nNext-Action: ${"40".repeat(21)}\r\n`,
      ),
    ],
    ["nested too deeply", 400, post("/licenses", "[".repeat(200))],
    [
      "nested too deeply, for next-auth",
      400,
      post("/api/auth/signin", "[".repeat(200), "Content-Type: application/json\r\n"),
    ],
    ["too many values", 413, post("/licenses", `[${"{},".repeat(60_000)}1]`)],
    ["not UTF-8", 400, Buffer.concat([Buffer.from(post("/licenses", "ab").slice(0, -2)), Buffer.of(0xff, 0xff)])],
    [
      "truncated within a character",
      400,
      Buffer.concat([Buffer.from(post("/licenses", "ab").slice(0, -2)), Buffer.of(0x61, 0xc3)]),
    ],
    ["compressed", 415, post("/licenses", "x", "Content-Encoding: gzip\r\n")],
  ] as const)("%s: %d", async (_what, status, sent) => {
    const port = await serve();
    const answer = await ask(port, sent);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers).toMatchObject({ "Content-Type": "text/plain", "X-Content-Type-Options": "nosniff" });
    expect(answer.body).toMatch(/^\S.*\.\n$/);
  });

  test("408 if it does not arrive in time, without reaching the page", async () => {
    const port = await serve({ receiveTimeoutMs: 300 });
    const answer = await ask(port, post("/licenses", "ab").slice(0, -1));
    expect([answer.status, answer.headers["Content-Type"]]).toEqual([408, "text/plain"]);
  });

  test("large bodies wait in memory up to a limit, small ones are always accepted, and the memory is released", async () => {
    const port = await serve({ maxHeldBodyBytes: 300_000, receiveTimeoutMs: 1_000 });
    const large = post("/licenses", `"${"x".repeat(200_000)}"`);
    const holder = connect(port, "127.0.0.1").on("error", () => undefined);
    holder.write(large.slice(0, -1));
    const answerToLarge = async () => {
      const { status, headers } = await ask(port, large);
      return [status, Number(headers["Retry-After"] ?? 0)];
    };
    await expect.poll(answerToLarge).toEqual([503, 2]);
    expect((await ask(port, post("/licenses", "{}"))).status).toBe(200);
    holder.destroy();
    await expect.poll(answerToLarge).toEqual([200, 0]);
    for (let sent = 0; sent < 2; sent++) expect(await answerToLarge()).toEqual([200, 0]);
  });

  test("memory is released if the connection ends before the body's turn", async () => {
    const port = await serve({ maxHeldBodyBytes: 300_000 }, { pageMs: 60 });
    const large = post("/licenses", `"${"x".repeat(200_000)}"`);
    for (const cut of [large.length, -1]) {
      const first = get("/licenses") + post("/a", "{}", "Content-Encoding: gzip\r\n");
      expect(await exchange(port, first.replace("Connection: close\r\n", "") + large.slice(0, cut))).toMatch(/415/);
      expect((await ask(port, large)).status).toBe(200);
    }
  });
});

describe("connections", () => {
  const open = async (port: number, count: number) => {
    const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1").on("error", () => undefined));
    await sleep(200);
    const countAlive = () => sockets.filter((socket) => !socket.destroyed && socket.readyState === "open").length;
    return { sockets, countAlive };
  };
  const countOpen = () =>
    promisify((done: (error: Error | null, count: number) => void) => server?.getConnections(done))();

  test("a source has a limited number of connections, and gets new ones once old ones end", async () => {
    const port = await serve({ maxConnectionsPerSource: 5 });
    const first = await open(port, 8);
    await expect.poll(first.countAlive).toBe(5);
    for (const socket of first.sockets) socket.destroy();
    await expect.poll(countOpen).toBe(0);
    await expect.poll((await open(port, 5)).countAlive).toBe(5);
  });

  test("a trusted proxy carries those of many sources", async () => {
    const loopback = { family: 4, text: "127.0.0.0/8", network: 0x7f000000, blockSize: 2 ** 24 } as const;
    const port = await serve({ maxConnectionsPerSource: 5, trustedProxies: [loopback] });
    await expect.poll((await open(port, 8)).countAlive).toBe(8);
  });

  test("with the total reached, idle ones make room", async () => {
    const port = await serve({ maxConnections: 4 });
    const { sockets } = await open(port, 4);
    const answers = sockets.map((socket) => once(socket, "data"));
    for (const socket of sockets) socket.write(get("/api/v1/licenses"));
    await Promise.all(answers);
    await exchange(port, get("/api/v1/licenses", "Connection: close\r\n"));
    expect((await ask(port, get("/api/v1/licenses", "Connection: close\r\n"))).status).toBe(200);
  });

  test("nothing that follows the last response of a connection is served", async () => {
    const port = await serve();
    const rejected = post("/a", "{}", "Content-Encoding: gzip\r\n").replace("Connection: close\r\n", "");
    const second = post("/b", "{}").replace("Connection: close\r\n", "");
    const socket = connect(port, "127.0.0.1");
    socket.write(rejected + second.slice(0, -1));
    await once(socket, "data");
    const further: Buffer[] = [];
    socket.on("data", (piece) => further.push(piece));
    socket.write(second.slice(-1) + get("/api/v1/early").repeat(3));
    await once(socket, "close");
    expect(Buffer.concat(further).toString()).toBe("");
  });

  test("pipelined requests are served in order, one at a time, and too many of them end the connection", async () => {
    const port = await serve({}, { pageMs: 20 });
    const ahead = await exchange(port, get("/a").repeat(9) + get("/a", "Connection: close\r\n"));
    expect(ahead.split("page").length - 1).toBe(10);
    expect((await exchange(port, get("/a").repeat(1_000))).split("page").length - 1).toBeLessThan(60);
  });

  test.each(["/licenses", "/api/v1/licenses"])(
    "of pipelined bodies for %s, those behind a slow response stay unread, and are served later",
    async (target) => {
      const port = await serve({}, { pageMs: 300 });
      let read = () => 0;
      server?.on("connection", (socket) => {
        read = () => socket.bytesRead;
      });
      const body = post(target, "x".repeat(60 * 1024));
      const behind = body.replace("Connection: close\r\n", "").repeat(20);
      const answers = exchange(port, get("/a") + behind + get("/api/v1/early", "Connection: close\r\n"));
      await sleep(200);
      expect(read()).toBeLessThan(3 * body.length);
      expect((await answers).split("HTTP/1.1 200").length - 1).toBe(22);
    },
  );

  test.each(["/licenses", "/api/v1/licenses"])(
    "a pipelined body for %s behind a slow response has its whole time once the server reads it",
    async (target) => {
      const port = await serve({ receiveTimeoutMs: 300 }, { pageMs: 1_800 });
      const body = post(target, "x".repeat(200 * 1024));
      const statuses = async (sent: string) =>
        [...(await exchange(port, sent)).matchAll(/HTTP\/1.1 (\d+)/g)].map((m) => m[1]);
      expect(await statuses(get("/a") + body)).toEqual(["200", "200"]);
      expect(await statuses(get("/a") + body.slice(0, -1))).toEqual(["200", "408"]);
    },
  );

  test("what is unreadable behind pipelined requests is rejected after their responses", async () => {
    const port = await serve({}, { pageMs: 50 });
    const answers = await exchange(port, `${get("/a").repeat(3)}not HTTP\r\n\r\n`);
    expect([...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map((m) => m[1])).toEqual(["200", "200", "200", "400"]);
  });
});
