/** The receivers of the webhooks row, in their own process. The path selects the behavior, the address the host. */
import { createServer, type RequestListener } from "node:http";

const ANSWER_AFTER_MS = 2;
const HOSTS = 20;

const answer: RequestListener = (request, response) => {
  request.resume();
  request.once("end", () => {
    if (request.url === "/hangs") return;
    if (request.url === "/fails") response.writeHead(500).end();
    else setTimeout(() => response.writeHead(204).end(), ANSWER_AFTER_MS);
  });
};

for (let host = 0; host <= HOSTS; host++) {
  const server = createServer(answer);
  server.keepAliveTimeout = 60_000;
  server.listen(Number(process.env.PORT), host === 0 ? "127.0.0.1" : `127.0.1.${host}`);
}
