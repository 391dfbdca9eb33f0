import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Cidr, parseCidr } from "#lib/domain/cidr.ts";
import type { WebhookReply } from "#lib/ports/webhook-sender.ts";
import { answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import { createHttpWebhookSender, type WebhookSenderOptions } from "./webhook-sender-http.ts";

const LOOPBACK = { allowHttp: true, allowedCidrs: [parseCidr("127.0.0.0/8") as Cidr] };
const MEGABYTE = 1_048_576;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function receiver(...answer: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...answer);
  cleanups.push(() => started.close());
  return started;
}

async function send(url: string, options: Partial<WebhookSenderOptions> = {}): Promise<WebhookReply> {
  const sender = createHttpWebhookSender({ rules: LOOPBACK, timeoutMs: 1_500, ...options });
  cleanups.push(() => sender.close());
  const target = "127.0.0.1";
  return sender.send({ url, target, failures: 0, headers: { "webhook-id": "evt_1" }, body: '{"event":"x"}' });
}

/** A server for raw bytes instead of HTTP. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<string> {
  const server: Server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    cleanups.push(() => socket.destroy());
    socket.once("data", () => onConnection(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const failed = (pattern: RegExp) => ({ kind: "failed", error: expect.stringMatching(pattern) });

test("by default, an attempt has 15 seconds (contract 4.3)", async () => {
  const clock = vi.spyOn(AbortSignal, "timeout");
  cleanups.push(() => clock.mockRestore());
  const { url } = await receiver();
  expect(await send(url, { timeoutMs: undefined })).toMatchObject({ kind: "answered" });
  expect(clock.mock.calls).toEqual([[15_000]]);
});

test("sends the body and headers once, as JSON, and accepts no compression", async () => {
  const { url, received } = await receiver((response) => response.writeHead(200, { "Retry-After": "7" }).end("thanks"));
  expect(await send(url)).toEqual({ kind: "answered", status: 200, retryAfter: "7", bodyStart: "thanks" });
  expect(received).toHaveLength(1);
  expect(received[0]?.body).toBe('{"event":"x"}');
  expect(received[0]?.headers).toMatchObject({
    "webhook-id": "evt_1",
    "content-type": "application/json",
    "accept-encoding": "identity",
    "content-length": "13",
  });
});

test("a redirect is a response and is not followed", async () => {
  const other = await receiver();
  const { url } = await receiver(answers.status(307, { Location: other.url }));
  expect(await send(url)).toMatchObject({ kind: "answered", status: 307 });
  expect(other.connections()).toBe(0);
});

describe("a harmful receiver costs bounded time and memory", () => {
  test("an endless body: its start is stored, the connection dropped", async () => {
    const chunk = "x".repeat(64 * 1024);
    let closed = false;
    let sentBytes = 0;
    const { url } = await receiver((response) => {
      response.writeHead(200);
      const pour = () => {
        while (!closed && response.write(chunk)) sentBytes += chunk.length;
      };
      response.on("drain", pour).on("close", () => {
        closed = true;
      });
      pour();
    });
    const reply = await send(url);
    expect(reply).toMatchObject({ kind: "answered", status: 200, bodyStart: "x".repeat(2_048) });
    await expect.poll(() => closed).toBe(true);
    expect(sentBytes).toBeLessThan(16 * MEGABYTE);
  });

  test("a trickling body does not delay the attempt", async () => {
    const { url } = await receiver((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(timer));
    });
    expect(await send(url, { timeoutMs: 600 })).toMatchObject({
      kind: "answered",
      status: 200,
      bodyStart: expect.stringMatching(/^x+$/),
    });
  });

  test("a gzip bomb is stored as received, never decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(50 * MEGABYTE));
    const { url } = await receiver((response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb));
    const reply = await send(url);
    expect(reply).toMatchObject({ kind: "answered", status: 200 });
    expect(reply.kind === "answered" && reply.bodyStart.length).toBeLessThanOrEqual(2_048);
    expect(JSON.stringify(reply)).not.toContain("\\u0000");
  });

  test.each([
    ["one that is endless", "X-Flood: ", () => "a".repeat(1_000)],
    ["endlessly many", "", () => `X-Flood: ${"a".repeat(500)}\r\n`],
  ])("a flood of headers, %s", async (_, first, more) => {
    const url = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${first}`);
      const pour = () => {
        for (let i = 0; i < 64 && !socket.destroyed; i++) socket.write(more());
        if (!socket.destroyed) setImmediate(pour);
      };
      pour();
    });
    expect(await send(url)).toEqual(failed(/headers are too large/));
  });

  test.each([
    ["nothing", () => undefined, /No response within 1.5 seconds/],
    [
      "the start of a head, then nothing",
      (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\nX: "),
      /No response within/,
    ],
    ["something other than HTTP", (socket: Socket) => socket.end("SSH-2.0-OpenSSH\r\n\r\n"), /not HTTP|broke/],
    ["a closed connection", (socket: Socket) => socket.destroy(), /connection broke/],
    ["endless informational responses", flood103, /No response within|failed|not HTTP|too large/],
  ] as const)("%s", async (_, behave, error) => {
    const url = await rawServer((socket) => void behave(socket));
    expect(await send(url)).toEqual(failed(error));
  });
});

function flood103(socket: Socket): void {
  const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), 5);
  socket.on("close", () => clearInterval(timer));
}

describe("a missing response is explained in a sentence", () => {
  test("refused", async () => {
    const { url, close } = await startReceiver();
    await close();
    expect(await send(url)).toEqual(failed(/^The connection was refused \(ECONNREFUSED\)\.$/));
  });

  test("a name that does not resolve", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" }));
    expect(await send("http://nowhere.example/", { resolve })).toEqual(failed(/could not be resolved \(ENOTFOUND\)/));
  });

  test("an unresponsive resolver", async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await send("http://slow.example/", { resolve, timeoutMs: 300 })).toEqual(failed(/No response within 0.3/));
  });

  test("an untrusted certificate, and plain HTTP instead of TLS", async () => {
    const dir = mkdtempSync(join(tmpdir(), "license-desk-tls-"));
    cleanups.push(() => rmSync(dir, { recursive: true }));
    const args = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=a.example";
    const [keyFile, certFile] = [join(dir, "key.pem"), join(dir, "cert.pem")];
    execFileSync("openssl", [...args.split(" "), "-keyout", keyFile, "-out", certFile], { stdio: "ignore" });
    let requests = 0;
    const server = createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, () => {
      requests += 1;
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    cleanups.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect(await send(`https://127.0.0.1:${port}/`)).toEqual(failed(/^TLS failed: the certificate is not trusted \(/));
    expect(requests).toBe(0);
    const plain = await receiver();
    expect(await send(plain.url.replace("http:", "https:"))).toEqual(failed(/^TLS failed/));
    expect(plain.received).toEqual([]);
  });
});
