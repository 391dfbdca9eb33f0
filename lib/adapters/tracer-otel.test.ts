import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { createOtelTracer } from "./tracer-otel.ts";

/** Sends it again and again, without an end. */
const trickle = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 50);
  socket.on("close", () => clearInterval(timer));
};

test.each([
  [
    "never ends its answer",
    (socket: Socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      trickle(socket, " ");
    },
  ],
  ["never ends the head of its answer", (socket: Socket) => trickle(socket, "HTTP/1.1 103 Early Hints\r\n\r\n")],
  ["says nothing", () => undefined],
])("a collector that %s keeps neither connections nor the process", async (_, answer) => {
  const ended = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("close", () => ended.resolve());
    socket.once("data", () => answer(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tracer = createOtelTracer({ endpoint, ratio: 1, attemptMs: 500 });
  await tracer.run({ name: "request", request: { id: "1", role: "begins" } }, async () => undefined);
  await tracer.close();
  await ended.promise;
  expect(server.close()).toBe(server);
});
