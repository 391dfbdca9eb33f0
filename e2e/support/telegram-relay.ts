import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The Telegram of a whole run: passes requests on to the test that has the bot, whose number is its server's port. */
export async function startTelegramRelay(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const [, port] = /^\/bot(\d+):/.exec(request.url ?? "") ?? [];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, {
        method: "POST",
        headers: { "content-type": request.headers["content-type"] ?? "" },
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status).end(await answer.text());
    } catch {
      response.writeHead(502).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
