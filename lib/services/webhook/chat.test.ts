import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventKinds } from "#lib/domain/events.ts";
import { sql } from "#tests/sql.ts";
import {
  BOT_TOKEN,
  CHAT_ID,
  type ChatReply,
  type ChatServer,
  startChats,
  telegramError,
} from "#tests/support/chats.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createWebhookEndpoint } from "./create.ts";
import { getWebhookEndpoint } from "./get.ts";
import { getWebhookEvent } from "./get-event.ts";
import { resendEvent } from "./resend.ts";
import { rotateWebhookSecret } from "./rotate-secret.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { updateWebhookEndpoint } from "./update.ts";
import type { EndpointFields } from "./validate.ts";
import { verifyWebhookEndpoint } from "./verify.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const license = { license_id: "lic_12", type: "web_server", server: "web1.example.com" };

let world: World;
let chats: ChatServer;
let webhooks: Webhooks;
let reseller: ResellerWorld;
const ctx = () => webhooks.context(reseller.id);

beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  await world.db.query(sql("truncate webhook_endpoints, webhook_targets cascade"), []);
  await world.db.query(sql("delete from events"), []);
  reseller = await world.reseller({ funds: "0" });
  chats = await startChats();
  webhooks = newWebhooks(world, { telegramUrl: chats.url });
});
afterEach(async () => {
  await webhooks.sender.close();
  await chats.close();
});
afterAll(() => world.close());

const slack = () => ({ format: "slack", url: chats.slackUrl }) as const;
const telegram = () => ({ format: "telegram", botToken: BOT_TOKEN, chatId: CHAT_ID }) as const;
const formats = [
  ["slack", slack],
  ["telegram", telegram],
] as const;

const create = async (input: EndpointFields) => (await createWebhookEndpoint(ctx(), input)).endpoint;
const endpointNow = (endpointId: number) => getWebhookEndpoint(ctx(), { endpointId });
const verify = (endpointId: number, code?: string) => verifyWebhookEndpoint(ctx(), { endpointId, code });

/** An endpoint whose code was read in the chat and entered. */
async function newChat(input: EndpointFields) {
  const { id } = await create(input);
  await webhooks.deliver();
  expect(await verify(id, chats.code())).toMatchObject({ status: "active" });
  return id;
}

/** Everything that a user, an admin or an operator can see of it, in any table. */
async function everythingStored(): Promise<string> {
  const tables = ["audit_entries", "events", "webhook_deliveries", "webhook_attempts", "mails", "idempotency_records"];
  const rows = await Promise.all(
    tables.map((table) => world.db.query(sql(`select t::text as row from ${table} t`), [])),
  );
  const endpoints = await world.db.query(sql("select to_jsonb(e) - 'secret' as row from webhook_endpoints e"), []);
  return JSON.stringify([rows, endpoints]);
}

describe.each(formats)("a chat of the format %s", (format, input) => {
  test("gets a code, then after it was entered every event as a sentence", async () => {
    const { id, status } = await create(input());
    expect(status).toBe("pending");
    await webhooks.emit(reseller.id, "license.renewed", { ...license, expires_at: "2027-03-01T00:00:00Z" });
    await webhooks.deliver();
    expect(chats.messages).toEqual([expect.stringContaining("License Desk code: ")]);
    expect(await endpointNow(id)).toMatchObject({ status: "pending", challengeError: null, firstFailedAt: null });
    expect(await verify(id, ` ${chats.code().toUpperCase()} `)).toMatchObject({ status: "active", pendingSince: null });
    await webhooks.deliver();
    expect(chats.messages.slice(1)).toEqual([
      "web1.example.com: Accelerated Web Server renewed until 2027-03-01 UTC. http://localhost:3000/licenses/12",
    ]);
    expect(chats.requests.map(({ headers }) => headers)).toEqual([
      expect.not.objectContaining({ "webhook-id": expect.anything() }),
      expect.objectContaining({ "content-type": "application/json" }),
    ]);
  });

  test("takes every kind of event", async () => {
    const endpointId = await newChat(input());
    for (const kind of eventKinds) await sendTestEvent(ctx(), { endpointId, kind });
    await webhooks.deliver();
    expect(chats.messages.filter((text) => text.startsWith("Test event: "))).toHaveLength(eventKinds.length);
    expect((await webhooks.deliveries()).every(({ state }) => state === "succeeded")).toBe(true);
  });

  test("is shown without its secret, which is nowhere else", async () => {
    const created = await createWebhookEndpoint(ctx(), input());
    await webhooks.deliver();
    await verify(created.endpoint.id, chats.code());
    await updateWebhookEndpoint(ctx(), { ...input(), endpointId: created.endpoint.id, description: "Operations" });
    await webhooks.deliver();
    await verify(created.endpoint.id, chats.code());
    chats.answerWith({ status: 404, body: `Cannot POST ${chats.slackUrl} /bot${BOT_TOKEN}/sendMessage` });
    const eventId = await webhooks.emit(reseller.id, "license.terminated", license);
    await webhooks.deliver();
    const event = await getWebhookEvent(ctx(), { eventId });
    const seen = JSON.stringify([created, await endpointNow(created.endpoint.id), event]) + (await everythingStored());
    const [, key] = BOT_TOKEN.split(":");
    for (const secret of [key, "4fGh81kLmn", "T02AB3CD4"]) expect(seen).not.toContain(secret);
    expect(created.secret).toBe("");
    expect(created.endpoint.url).toBe(format === "slack" ? `${chats.url}/…` : `${chats.url}/bot123456789:…`);
    expect(event.deliveries).toMatchObject([
      {
        text: "web1.example.com: Accelerated Web Server terminated. http://localhost:3000/licenses/12",
        attempts: [{ status: 404, responseStart: null, requestHeaders: null, error: expect.stringMatching(/./) }],
      },
    ]);
  });

  test("shows its code nowhere but in the chat", async () => {
    await create(input());
    chats.answerWith({ status: 400, body: "invalid" });
    await webhooks.deliver();
    world.advance(MINUTE_MS);
    await webhooks.deliver();
    const code = chats.code();
    expect(code).toMatch(/^\w{5}-\w{5}$/);
    const [challenge] = await world.db.query(sql<{ id: string }>("select id::text as id from events"), []);
    const event = await getWebhookEvent(ctx(), { eventId: challenge?.id as never });
    const seen = JSON.stringify(event) + (await everythingStored());
    expect(event.deliveries[0]?.text).toContain("License Desk code: •••••-•••••");
    expect(seen).not.toContain(code);
    expect(seen).not.toContain(code.replace("-", ""));
  });

  test("has no secret to rotate, and resends", async () => {
    const endpointId = await newChat(input());
    expect(await codeOf(rotateWebhookSecret(ctx(), { endpointId }))).toBe("conflict");
    const eventId = await webhooks.emit(reseller.id, "license.terminated", license);
    await webhooks.deliver();
    await resendEvent(ctx(), { eventId, endpointId });
    await webhooks.deliver();
    expect(new Set(chats.messages.slice(1)).size).toBe(1);
    expect(chats.messages).toHaveLength(3);
  });

  test("that hangs is a failure, without repeating the secret", async () => {
    await newChat(input());
    chats.answerWith("never");
    const eventId = await webhooks.emit(reseller.id, "license.terminated", license);
    await webhooks.deliver();
    const { deliveries } = await getWebhookEvent(ctx(), { eventId });
    expect(deliveries[0]?.attempts).toMatchObject([{ error: "No response within a second." }]);
  });

  test("of a sandbox says that it is test mode", async () => {
    const id = await newChat(input());
    const live = await world.reseller({ funds: "0" });
    await world.db.query(sql("alter table resellers disable trigger resellers_keep_mode"), []);
    await world.db.query(sql("update resellers set sandbox_of = $1 where id = $2"), [live.id, reseller.id]);
    const eventId = await webhooks.emit(reseller.id, "license.terminated", license);
    await webhooks.deliver();
    const { deliveries } = await getWebhookEvent(ctx(), { eventId });
    await world.db.query(sql("update resellers set sandbox_of = null where id = $1"), [reseller.id]);
    await world.db.query(sql("alter table resellers enable trigger resellers_keep_mode"), []);
    expect(deliveries).toMatchObject([{ endpointId: id, testMode: true, text: chats.messages.at(-1) }]);
    expect(chats.messages.at(-1)).toMatch(/^Test mode: web1/);
  });

  describe("its code", () => {
    test("has five tries, also at the same time", async () => {
      const { id } = await create(input());
      await webhooks.deliver();
      await expect(verify(id, "wrong-wrong")).rejects.toMatchObject({
        code: "parameters_invalid",
        details: { code: "is not the newest one in this chat. 4 tries left" },
      });
      const guesses = Array.from({ length: 20 }, (_, guess) => codeOf(verify(id, `${guess}`)));
      const codes = await Promise.all(guesses);
      expect(codes.filter((code) => code === "parameters_invalid")).toHaveLength(4);
      expect(codes.filter((code) => code === "conflict")).toHaveLength(16);
      expect(await codeOf(verify(id, chats.code()))).toBe("conflict");
      expect(await endpointNow(id)).toMatchObject({ status: "pending" });
      await verify(id);
      await webhooks.deliver();
      expect(await verify(id, chats.code())).toMatchObject({ status: "active" });
    });

    test("ends after an hour, and when a new one is sent", async () => {
      const { id } = await create(input());
      await webhooks.deliver();
      const first = chats.code();
      world.advance(30 * MINUTE_MS);
      await verify(id);
      await webhooks.deliver();
      expect(await codeOf(verify(id, first))).toBe("parameters_invalid");
      world.advance(60 * MINUTE_MS);
      expect(await codeOf(verify(id, chats.code()))).toBe("conflict");
    });

    test("is good for its own endpoint and destination, once", async () => {
      const { id } = await create(input());
      await webhooks.deliver();
      const code = chats.code();
      const other = await create(input());
      await webhooks.deliver();
      expect(await codeOf(verify(other.id, code))).toBe("parameters_invalid");
      expect(await verify(id, code)).toMatchObject({ status: "active" });
      await updateWebhookEndpoint(ctx(), { endpointId: id, ...input() });
      expect(await endpointNow(id)).toMatchObject({ status: "pending" });
      expect(await codeOf(verify(id, code))).toBe("parameters_invalid");
    });

    test("is of no use while the endpoint is paused, to another reseller, or for one that needs none", async () => {
      const { id } = await create(input());
      await webhooks.deliver();
      const stranger = webhooks.context((await world.reseller({ funds: "0" })).id);
      const answer = (endpointId: number) => verifyWebhookEndpoint(stranger, { endpointId, code: chats.code() });
      expect(await codeOf(answer(id))).toBe("not_found");
      const standard = await create({ url: `${chats.url}/hooks` });
      expect(await codeOf(verify(standard.id, chats.code()))).toBe("parameters_invalid");
      await world.db.query(sql("update webhook_endpoints set paused_at = created_at where id = $1"), [id]);
      expect(await codeOf(verify(id, chats.code()))).toBe("conflict");
    });
  });
});

describe("what a chat answers", () => {
  const cases: readonly (readonly [string, () => EndpointFields, ChatReply, RegExp, string | null])[] = [
    ["invalid_payload", slack, { status: 400, body: "invalid_payload" }, /did not accept the message/, null],
    ["action_prohibited", slack, { status: 403, body: "action_prohibited" }, /does not allow this webhook/, null],
    ["no_service", slack, { status: 404, body: "no_service" }, /removed or disabled/, null],
    ["an unknown webhook of Discord", slack, { status: 404, body: '{"code":10015}' }, /no webhook at this URL/, null],
    ["an archived channel", slack, { status: 410, body: "channel_is_archived" }, /channel is archived/, "gone"],
    ["410", slack, { status: 410, body: "" }, /gone/, "gone"],
    ["a redirect", slack, { status: 302, body: "", headers: { location: "/" } }, /Redirects are not/, null],
    ["an outage", slack, { status: 503, body: "<h1>Secret</h1>" }, /^The chat answered 503\.$/, null],
    ["a kicked bot", telegram, telegramError(403, "Forbidden: bot was kicked from the group chat"), /removed/, null],
    ["a blocked bot", telegram, telegramError(403, "Forbidden: bot was blocked by the user"), /blocked/, null],
    ["a revoked token", telegram, telegramError(401, "Unauthorized"), /does not accept the bot's token/, null],
    ["an unknown chat", telegram, telegramError(400, "Bad Request: chat not found"), /check the chat ID/, null],
    [
      "a migrated group",
      telegram,
      telegramError(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrate_to_chat_id: -1 }),
      /new chat ID/,
      null,
    ],
  ];

  test.each(cases)("%s", async (_, input, reply, error, disabledReason) => {
    const id = await newChat(input());
    chats.answerWith(reply);
    const eventId = await webhooks.emit(reseller.id, "license.terminated", license);
    await webhooks.deliver();
    const { deliveries } = await getWebhookEvent(ctx(), { eventId });
    expect(deliveries).toMatchObject([{ lastStatus: reply.status, lastError: expect.stringMatching(error) }]);
    expect(await endpointNow(id)).toMatchObject({ disabledReason, firstFailedAt: expect.any(Date) });
  });

  const patience: readonly (readonly [string, () => EndpointFields, ChatReply])[] = [
    ["Slack's Retry-After", slack, { status: 429, body: "rate_limited", headers: { "retry-after": "900" } }],
    [
      "Telegram's retry_after",
      telegram,
      telegramError(429, "Too Many Requests: retry after 900", { retry_after: 900 }),
    ],
  ];
  test.each(patience)("%s lengthens the delay", async (_, input, reply) => {
    await newChat(input());
    chats.answerWith(reply);
    await webhooks.emit(reseller.id, "license.terminated", license);
    await webhooks.deliver();
    const waiting = (await webhooks.deliveries()).find(({ state }) => state === "pending");
    expect(waiting?.next_attempt_at.getTime()).toBeGreaterThanOrEqual(world.now().getTime() + 899_000);
    world.advance(DAY_MS);
    await webhooks.deliver();
    expect(chats.messages.at(-1)).toContain("terminated");
  });

  test("a challenge that does not arrive is tried three times, and the endpoint says why", async () => {
    const { id } = await create(telegram());
    const error = telegramError(400, "Bad Request: chat not found");
    chats.answerWith(error, error, error, error);
    for (let attempt = 0; attempt < 5; attempt++) {
      await webhooks.deliver();
      world.advance(10 * MINUTE_MS);
    }
    expect(chats.requests).toHaveLength(3);
    expect(await endpointNow(id)).toMatchObject({
      status: "pending",
      challengeError: expect.stringContaining("check the chat ID"),
    });
  });
});

describe("another destination", () => {
  test("is asked for consent; another description needs none", async () => {
    const id = await newChat(telegram());
    const change = (fields: EndpointFields) => updateWebhookEndpoint(ctx(), { endpointId: id, ...fields });
    expect(await change({ description: "Operations", chatId: CHAT_ID })).toMatchObject({ status: "active" });
    expect(await change({ chatId: "@operations" })).toMatchObject({ status: "pending", chatId: "@operations" });
    expect(await change({ chatId: CHAT_ID })).toMatchObject({ status: "pending" });
    await webhooks.deliver();
    expect(await verify(id, chats.code())).toMatchObject({ status: "active" });
    expect(await change({ botToken: BOT_TOKEN })).toMatchObject({ status: "pending", chatId: CHAT_ID });
    const [entry] = await world.db.query(
      sql<{ data: object }>("select data from audit_entries where action = 'webhook.update' order by id desc limit 1"),
      [],
    );
    expect(entry?.data).toEqual({ changes: {}, secret_replaced: true });
  });
});

describe("is rejected", () => {
  const cases: readonly (readonly [string, EndpointFields, object])[] = [
    ["no URL", {}, { url: "is required" }],
    ["no URL of a chat", { format: "slack" }, { url: "is required" }],
    ["no bot", { format: "telegram" }, { bot_token: "is required", chat_id: "is required" }],
    [
      "a token of the wrong shape",
      { format: "telegram", botToken: "123:abc", chatId: "1" },
      { bot_token: expect.stringMatching(/^must look like the one that @BotFather shows/) },
    ],
    [
      "a token with a path",
      { format: "telegram", botToken: `${BOT_TOKEN}/../../x`, chatId: "1" },
      { bot_token: expect.stringMatching(/^must look like the one that @BotFather shows/) },
    ],
    ...["operations", "12a", "@x", "@a-b-c-d", "0", "1.5", "", " 1"].map(
      (chatId) =>
        [
          `the chat id "${chatId}"`,
          { format: "telegram", botToken: BOT_TOKEN, chatId },
          { chat_id: expect.stringMatching(/^must be a whole number/) },
        ] as const,
    ),
    [
      "a URL with a bot",
      { format: "telegram", botToken: BOT_TOKEN, chatId: "1", url: "https://hooks.example" },
      { url: "must be absent with the format telegram" },
    ],
    [
      "a bot with a URL",
      { format: "slack", url: "https://hooks.example/x", botToken: BOT_TOKEN },
      { bot_token: "must be absent with the format slack" },
    ],
    [
      "Slack's URL, which would be shown",
      { url: "https://hooks.slack.com/services/T0/B0/x" },
      { url: "belongs to an endpoint of the format slack" },
    ],
    [
      "Telegram's URL",
      { format: "slack", url: `https://api.telegram.org/bot${BOT_TOKEN}/sendMessage` },
      { url: "belongs to an endpoint of the format telegram" },
    ],
    [
      "a private address",
      { format: "slack", url: "https://10.0.0.1/services/x" },
      { url: expect.stringContaining("private or reserved") },
    ],
  ];

  test.each(cases)("%s", async (_, input, details) => {
    await expect(create(input)).rejects.toMatchObject({ code: "parameters_invalid", details });
  });

  test("another format of an endpoint, and another format's destination", async () => {
    const { id: endpointId } = await create(slack());
    const update = (change: object) => updateWebhookEndpoint(ctx(), { endpointId, ...change });
    await expect(update({ format: "standard" })).rejects.toMatchObject({
      details: { format: "cannot be changed: add another endpoint" },
    });
    await expect(update({ chatId: CHAT_ID })).rejects.toMatchObject({
      details: { chat_id: "must be absent with the format slack" },
    });
    expect(await update({ format: "slack", description: "x" })).toMatchObject({ description: "x" });
  });
});
