/** A scripted webhook receiver on a local address. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CHALLENGE_KIND } from "#lib/domain/events.ts";

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly receivedAtMs: number;
}

export type Answer = (response: ServerResponse, webhook: ReceivedWebhook) => void;

export interface Receiver {
  readonly url: string;
  /** Complete requests without challenges, in order. */
  readonly received: readonly ReceivedWebhook[];
  /** Challenges, which it meets by default. */
  readonly challenges: readonly ReceivedWebhook[];
  /** Total connections. */
  readonly connections: () => number;
  /** Maximum concurrent requests. */
  readonly mostUnderWay: () => number;
  answerWith(answer: Answer): void;
  /** Whether it meets challenges (default), or answers them like other requests. */
  meetChallenges(meets: boolean): void;
  close(): Promise<void>;
}

export const answers = {
  status:
    (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
    (response) =>
      response.writeHead(status, headers).end(),
  never: () => undefined,
  after:
    (ms: number): Answer =>
    (response) =>
      setTimeout(() => response.writeHead(204).end(), ms),
} satisfies Record<string, unknown>;

export async function startReceiver(answer: Answer = answers.status(204), host = "127.0.0.1"): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const challenges: ReceivedWebhook[] = [];
  let connections = 0;
  let underWay = 0;
  let mostUnderWay = 0;
  let current = answer;
  let meets = true;
  const server = createServer((request, response) => {
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    response.once("close", () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const webhook = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
        receivedAtMs: performance.now(),
      };
      const challenge = challengeOf(webhook.body);
      (challenge === null ? received : challenges).push(webhook);
      if (challenge === null || !meets) current(response, webhook);
      else response.end(challenge);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hooks`,
    received,
    challenges,
    connections: () => connections,
    mostUnderWay: () => mostUnderWay,
    answerWith(next) {
      current = next;
    },
    meetChallenges(will) {
      meets = will;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function challengeOf(body: string): string | null {
  try {
    const { event, data } = JSON.parse(body);
    return event === CHALLENGE_KIND ? data.challenge : null;
  } catch {
    return null;
  }
}
