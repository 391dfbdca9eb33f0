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
/** The system's own buffers of both ends of a connection; what is more would be held by the process. */
const SYSTEM_HOLDS = 16 * MB;
const REST_MS = 300;
const limit = { allowed: true, limit: 1, remaining: 1, resetsAtSeconds: 0, retryAfterSeconds: 0 };

let server: Server | undefined;
afterEach(async () => {
  if (server) await closeGracefully(server, 0);
});

/**
 * A server whose answer has no end, begins after `prepareMs`, and goes through the API or straight from Node, as Next's
 * pages do; and a connection to it on which nothing is read yet.
 */
async function askForEverything({ sendTimeoutMs = 60_000, prepareMs = 0, by = "the API" } = {}) {
  const state = { madeBytes: 0, ended: false };
  async function* everything() {
    try {
      await sleep(prepareMs);
      for (;;) {
        state.madeBytes += PIECE.length;
        yield PIECE;
        // As reading a page of rows does, it lets others run.
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
  // It may be reset in the end.
  socket.on("error", () => undefined);
  socket.write("GET /api/v1/licenses HTTP/1.1\r\nHost: a\r\n\r\n");
  return { state, socket };
}

/** Waits until nothing more is made. */
async function untilAtRest(state: { readonly madeBytes: number }): Promise<number> {
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

test("whoever reads nothing makes us read nothing more, and goes on where it stopped", async () => {
  const { state, socket } = await askForEverything();
  expect(await untilAtRest(state)).toBeLessThan(SYSTEM_HOLDS);
  await read(socket, 2 * SYSTEM_HOLDS);
  expect(state.madeBytes).toBeGreaterThan(2 * SYSTEM_HOLDS);
  expect(
    await untilAtRest({
      get madeBytes() {
        return state.madeBytes - socket.bytesRead;
      },
    }),
  ).toBeLessThan(SYSTEM_HOLDS);
  socket.destroy();
});

test("whoever leaves in the middle ends the reading", async () => {
  const { state, socket } = await askForEverything();
  await untilAtRest(state);
  socket.destroy();
  await expect.poll(() => state.ended).toBe(true);
});

test.each(["the API", "a page"])("whoever reads nothing loses the connection, whose answer of %s ends", async (by) => {
  const { state, socket } = await askForEverything({ sendTimeoutMs: 200, by });
  await untilAtRest(state);
  await expect.poll(() => state.ended, { timeout: 10_000 }).toBe(true);
  // Reset, so that nobody takes what the system still held for the whole.
  const failure = once(socket, "error");
  socket.resume();
  expect(await failure).toMatchObject([{ code: "ECONNRESET" }]);
});

test("the time begins with the answer: what takes longer to make is sent, and then it counts", async () => {
  const { state, socket } = await askForEverything({ sendTimeoutMs: 200, prepareMs: 1_000 });
  await read(socket, PIECE.length);
  await expect.poll(() => state.ended, { timeout: 10_000 }).toBe(true);
  socket.destroy();
});

test("whoever reads slowly is served for longer than the time", async () => {
  const sendTimeoutMs = 1_500;
  const { state, socket } = await askForEverything({ sendTimeoutMs });
  await untilAtRest(state);
  for (const until = Date.now() + 3 * sendTimeoutMs; Date.now() < until; await sleep(100)) await read(socket, 2 * MB);
  expect(state.ended).toBe(false);
  socket.destroy();
});
