import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { toResponse } from "#lib/http/response.ts";
import { newProtection } from "#tests/support/protection.ts";
import { createApiListener } from "./api-listener.ts";
import { closeGracefully, createHttpServer, listen } from "./http-server.ts";

const MB = 1024 * 1024;
const PIECE = "x".repeat(32 * 1024);
/** Socket buffers of both ends; anything beyond is held by the process. */
const SYSTEM_HOLDS = 16 * MB;
const REST_MS = 300;
const limit = { allowed: true, limit: 1, remaining: 1, resetsAtSeconds: 0, retryAfterSeconds: 0 };

let server: Server | undefined;
afterEach(async () => {
  if (server) await closeGracefully(server, 0);
});

/**
 * A server with an endless response that starts after `prepareMs`, through the API or directly from Node like Next's
 * pages, and a connection on which nothing has been read.
 */
async function requestEndlessResponse({ sendTimeoutMs = 60_000, prepareMs = 0, by = "the API" } = {}) {
  const state = { madeBytes: 0, ended: false };
  async function* everything() {
    try {
      await sleep(prepareMs);
      for (;;) {
        state.madeBytes += PIECE.length;
        yield PIECE;
        // Yields like reading a page of rows.
        await sleep(0);
      }
    } finally {
      state.ended = true;
    }
  }
  const protection = newProtection({ sendTimeoutMs });
  const handle = createApiListener(
    async () => toResponse("GET", { status: 200, body: everything() }, limit, "req_test"),
    protection,
    () => undefined,
  );
  server = createHttpServer((request, response) => {
    if (by === "the API") void handle(request, response);
    else pipeline(everything(), response).catch(() => undefined);
  }, protection);
  const port = await findFreePort();
  await listen(server, "127.0.0.1", port);
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.pause();
  // It may be reset at the end.
  socket.on("error", () => undefined);
  socket.write("GET /api/v1/licenses HTTP/1.1\r\nHost: a\r\n\r\n");
  return { state, socket };
}

/** Waits until production stops. */
async function untilIdle(state: { readonly madeBytes: number }): Promise<number> {
  for (;;) {
    const before = state.madeBytes;
    await sleep(REST_MS);
    if (before > 0 && state.madeBytes === before) return before;
    if (state.madeBytes > SYSTEM_HOLDS) return state.madeBytes;
  }
}

async function read(socket: Socket, bytes: number): Promise<void> {
  const until = socket.bytesRead + bytes;
  socket.resume();
  while (socket.bytesRead < until) await once(socket, "data");
  socket.pause();
}

test("a client that stops reading stops production, which resumes with it", async () => {
  const { state, socket } = await requestEndlessResponse();
  expect(await untilIdle(state)).toBeLessThan(SYSTEM_HOLDS);
  await read(socket, 2 * SYSTEM_HOLDS);
  expect(state.madeBytes).toBeGreaterThan(2 * SYSTEM_HOLDS);
  expect(
    await untilIdle({
      get madeBytes() {
        return state.madeBytes - socket.bytesRead;
      },
    }),
  ).toBeLessThan(SYSTEM_HOLDS);
  socket.destroy();
});

test("a client that disconnects stops production", async () => {
  const { state, socket } = await requestEndlessResponse();
  await untilIdle(state);
  socket.destroy();
  await expect.poll(() => state.ended).toBe(true);
});

test.each(["the API", "a page"])("a client that stops reading loses the connection of %s", async (by) => {
  const { state, socket } = await requestEndlessResponse({ sendTimeoutMs: 200, by });
  await untilIdle(state);
  await expect.poll(() => state.ended, { timeout: 10_000 }).toBe(true);
  // Reset, so the buffered part is not mistaken for the whole.
  const failure = once(socket, "error");
  socket.resume();
  expect(await failure).toMatchObject([{ code: "ECONNRESET" }]);
});

test("the timeout starts with the response, however long it took to prepare", async () => {
  const { state, socket } = await requestEndlessResponse({ sendTimeoutMs: 200, prepareMs: 1_000 });
  await read(socket, PIECE.length);
  await expect.poll(() => state.ended, { timeout: 10_000 }).toBe(true);
  socket.destroy();
});

test("a slow reader is served for longer than the timeout", async () => {
  const sendTimeoutMs = 1_500;
  const { state, socket } = await requestEndlessResponse({ sendTimeoutMs });
  await untilIdle(state);
  for (const until = Date.now() + 3 * sendTimeoutMs; Date.now() < until; await sleep(100)) await read(socket, 2 * MB);
  expect(state.ended).toBe(false);
  socket.destroy();
});
