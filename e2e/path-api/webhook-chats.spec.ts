import { CHAT_ID, type ChatServer, startChats } from "#tests/support/chats.ts";
import { verdictOf } from "../support/http.ts";
import { test as base, expect } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

const test = base.extend<{ readonly chats: ChatServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its first parameter.
  chats: async ({}, use) => {
    const chats = await startChats();
    await use(chats);
    await chats.close();
  },
});

async function receiveCode(chats: ChatServer): Promise<string> {
  await expect.poll(() => chats.code()).toMatch(/^\w{5}-\w{5}$/);
  return chats.code();
}

/** Everything that the API answers about a reseller's webhooks. */
async function readAll(reseller: Reseller): Promise<string> {
  const list = await reseller.path.get("/webhook-endpoints");
  const events = await reseller.path.get("/events");
  const found = events.body.events as unknown as readonly { readonly id: string }[];
  const details = await Promise.all(found.map(({ id }) => reseller.path.get(`/events/${id}`)));
  return [list, events, ...details].map(({ text }) => text).join("\n");
}

for (const format of ["slack", "telegram"] as const) {
  test(`a chat of the format ${format} is added, verified by its code, sent to, and its secret never told`, async ({
    reseller,
    chats,
  }) => {
    const destination = format === "slack" ? { url: chats.slackUrl } : { bot_token: chats.botToken, chat_id: CHAT_ID };
    const created = await reseller.path.post("/webhook-endpoints", { format, ...destination });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      format,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/(bot\d+:)?…$/),
      chat_id: format === "slack" ? null : CHAT_ID,
      status: "pending",
      secret: "",
    });
    const path = `/webhook-endpoints/${created.body.id}`;
    const code = await receiveCode(chats);
    const wrong = await reseller.path.post(`${path}/verify`, { code: "abcde-fghjk" });
    expect(verdictOf(wrong)).toBe("400 INVALID_REQUEST");
    expect(wrong.body.details).toEqual({ code: "is not the newest one in this chat. 4 tries left" });
    const verified = await reseller.path.post(`${path}/verify`, { code });
    expect([verified.status, verified.body.status]).toEqual([202, "active"]);
    const { license_id } = await reseller.newLicense();
    await expect.poll(() => chats.messages.length).toBe(2);
    expect(chats.messages[1]).toContain(`/licenses/${String(license_id).replace("lic_", "")}`);
    const rotated = await reseller.path.post(`${path}/rotate-secret`, {});
    expect(verdictOf(rotated)).toBe("409 INVALID_REQUEST");
    const told = [created, wrong, verified, rotated].map(({ text }) => text).join("\n") + (await readAll(reseller));
    // Each server links to itself.
    expect(told).toContain(`"text":"${chats.messages[1]?.split("http")[0]}`);
    for (const secret of ["4fGh81kLmn", chats.botToken.slice(-20), code]) expect(told).not.toContain(secret);
  });
}

test("a repeated request with a code has one outcome, and a try is counted once (contract 1.11)", async ({
  reseller,
  chats,
}) => {
  const { body } = await reseller.path.post("/webhook-endpoints", { format: "slack", url: chats.slackUrl });
  await receiveCode(chats);
  const guess = () =>
    reseller.path.send({
      method: "POST",
      target: `/api/v1/webhook-endpoints/${body.id}/verify`,
      headers: { "content-type": "application/json", "idempotency-key": "one" },
      body: JSON.stringify({ code: "abcde-fghjk" }),
    });
  const answers = [await guess(), await guess(), await guess()];
  expect(answers.map(({ text }) => text)).toEqual(Array(3).fill(answers[0]?.text));
  const next = await reseller.path.post(`/webhook-endpoints/${body.id}/verify`, { code: "abcde-fghjk" });
  expect(next.body.details).toEqual({ code: "is not the newest one in this chat. 3 tries left" });
});

test("what is wrong is told by field", async ({ reseller }) => {
  const create = async (fields: object) => {
    const answer = await reseller.path.post("/webhook-endpoints", fields);
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
    return Object.keys(answer.body.details as object);
  };
  expect(await create({})).toEqual(["url"]);
  expect(await create({ format: "telegram" })).toEqual(["bot_token", "chat_id"]);
  expect(await create({ format: "telegram", bot_token: "1:x", chat_id: "abc" })).toEqual(["bot_token", "chat_id"]);
  expect(await create({ url: "https://hooks.slack.com/services/T0/B0/x" })).toEqual(["url"]);
  expect(await create({ format: "slack", url: "https://hooks.example/x", chat_id: "1" })).toEqual(["chat_id"]);
});
