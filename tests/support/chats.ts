/** A server on 127.0.0.1 that answers as Slack's incoming webhooks and Telegram's Bot API are documented to. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const BOT_KEY = "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw8";
export const BOT_TOKEN = `123456789:${BOT_KEY}`;
export const CHAT_ID = "-1001234567890";
const SLACK_PATH = "/services/T02AB3CD4/B07QWERTY/4fGh81kLmnOpQr5tUvWxYz01";
const TEXT_LIMITS = { slack: 40_000, telegram: 4_096 };

export interface ChatReply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ChatServer {
  readonly url: string;
  readonly slackUrl: string;
  /** Of a bot whose number is the server's port (e2e/support/telegram-relay.ts). */
  readonly botToken: string;
  /** Texts as people read them, oldest first. */
  readonly messages: readonly string[];
  readonly requests: readonly { readonly path: string; readonly headers: object; readonly body: string }[];
  /** The code in the newest message. */
  code(): string;
  /** The next answers, whatever is sent; "never": none. */
  answerWith(...replies: readonly (ChatReply | "never")[]): void;
  close(): Promise<void>;
}

export function telegramError(status: number, description: string, parameters?: object): ChatReply {
  return { status, body: JSON.stringify({ ok: false, error_code: status, description, parameters }) };
}

export async function startChats(): Promise<ChatServer> {
  const messages: string[] = [];
  const requests: { path: string; headers: object; body: string }[] = [];
  let planned: (ChatReply | "never")[] = [];

  function answer(path: string, type: string | undefined, body: string): ChatReply {
    const bot = /^\/bot([^/]+)\/(\w+)$/.exec(path);
    const fields = type === "application/json" ? parse(body) : {};
    if (bot) return answerAsTelegram(bot[1] ?? "", bot[2] ?? "", fields);
    return answerAsSlack(path, fields);
  }

  function answerAsSlack(path: string, { text }: Readonly<Record<string, unknown>>): ChatReply {
    if (path !== SLACK_PATH) return { status: 404, body: "no_service" };
    if (typeof text !== "string") return { status: 400, body: "invalid_payload" };
    if (text === "" || text.length > TEXT_LIMITS.slack) return { status: 400, body: "no_text" };
    messages.push(text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"));
    return { status: 200, body: "ok", headers: { "content-type": "text/html" } };
  }

  function answerAsTelegram(token: string, method: string, fields: Readonly<Record<string, unknown>>): ChatReply {
    const { chat_id, text } = fields;
    if (!token.endsWith(`:${BOT_KEY}`)) return telegramError(401, "Unauthorized");
    if (method !== "sendMessage") return telegramError(404, "Not Found");
    if (String(chat_id) !== CHAT_ID) return telegramError(400, "Bad Request: chat not found");
    if (typeof text !== "string" || text === "") return telegramError(400, "Bad Request: message text is empty");
    if (text.length > TEXT_LIMITS.telegram) return telegramError(400, "Bad Request: message is too long");
    messages.push(text);
    const chat = { id: Number(CHAT_ID), title: "Operations", type: "supergroup" };
    const result = { message_id: messages.length, from: { id: 123456789, is_bot: true }, chat, date: 1, text };
    return { status: 200, body: JSON.stringify({ ok: true, result }) };
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers, body });
    const reply = planned.shift() ?? answer(path, request.headers["content-type"], body);
    if (reply !== "never") response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    slackUrl: `${url}${SLACK_PATH}`,
    botToken: `${port}:${BOT_KEY}`,
    messages,
    requests,
    code: () => /code: (\w{5}-\w{5})/.exec(messages.at(-1) ?? "")?.[1] ?? "",
    answerWith(...replies) {
      planned = [...replies];
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
