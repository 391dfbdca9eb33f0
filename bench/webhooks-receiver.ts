/** The receivers of the row webhooks, as a process of its own: paths say how each behaves. */
import { createServer } from "node:http";

const ANSWER_AFTER_MS = 2;

const server = createServer((request, response) => {
  request.resume();
  request.once("end", () => {
    if (request.url === "/hangs") return;
    if (request.url === "/fails") response.writeHead(500).end();
    else setTimeout(() => response.writeHead(204).end(), ANSWER_AFTER_MS);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), "127.0.0.1");
