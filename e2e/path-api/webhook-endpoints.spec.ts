import { randomUUID } from "node:crypto";
import { eventKinds } from "#lib/domain/events.ts";
import { getRuntime } from "#lib/runtime.ts";
import { startReceiver } from "#tests/support/receiver.ts";
import { consent } from "../support/consent.ts";
import { verdictOf } from "../support/http.ts";
import { undocumented } from "../support/openapi.ts";
import { expect, test } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

const URL_OF_RECEIVER = "https://hooks.example.com/license-desk";
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

async function newEndpoint(reseller: Reseller, fields: object = {}) {
  const { status, body } = await reseller.path.post("/webhook-endpoints", { url: URL_OF_RECEIVER, ...fields });
  expect(status).toBe(201);
  const made = body as unknown as { readonly id: string; readonly secret: string };
  await consent(made.id);
  return made;
}

const send = (reseller: Reseller, method: string, path: string, json?: unknown) =>
  reseller.path.send({
    method,
    target: `/api/v1${path}`,
    ...(json === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(json) }),
  });

test("an endpoint is made with its defaults, its secret told once, and read, listed, changed and deleted without", async ({
  reseller,
}) => {
  const { id, secret, ...created } = await newEndpoint(reseller);
  expect(id).toMatch(/^whe_[1-9]\d*$/);
  expect(secret).toMatch(SECRET);
  const made = { ...created, status: "active", pending_since: null };
  expect(created).toEqual({
    format: "standard",
    url: URL_OF_RECEIVER,
    chat_id: null,
    description: "",
    events: [],
    status: "pending",
    disabled_reason: null,
    pending_since: expect.stringMatching(TIME),
    challenge_error: null,
    concurrency: 4,
    ordered: false,
    failing_since: null,
    previous_secret_until: null,
    created_at: expect.stringMatching(TIME),
    updated_at: expect.stringMatching(TIME),
  });
  expect((await reseller.path.get(`/webhook-endpoints/${id}`)).body).toEqual({ id, ...made });
  expect((await reseller.path.get("/webhook-endpoints")).body).toEqual({ webhook_endpoints: [{ id, ...made }] });

  const change = {
    description: "Billing",
    events: ["license.expired", "license.activated"],
    concurrency: 1,
    ordered: true,
  };
  const changed = await send(reseller, "PATCH", `/webhook-endpoints/${id}`, change);
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({
    id,
    ...made,
    ...change,
    events: ["license.activated", "license.expired"],
    updated_at: expect.stringMatching(TIME),
  });
  expect(changed.text).not.toContain("whsec_");

  expect((await send(reseller, "DELETE", `/webhook-endpoints/${id}`)).body).toEqual({ id, deleted: true });
  for (const method of ["GET", "DELETE"]) {
    expect(verdictOf(await send(reseller, method, `/webhook-endpoints/${id}`))).toBe("404 NOT_FOUND");
  }
});

test(
  "PATCH changes what is given and nothing else; null is absence; status pauses and resumes (contract 1.8)",
  undocumented,
  async ({ reseller }) => {
    const { id } = await newEndpoint(reseller, { description: "a", events: ["license.renewed"] });
    const patch = async (change: object) => (await send(reseller, "PATCH", `/webhook-endpoints/${id}`, change)).body;
    expect(await patch({})).toMatchObject({ description: "a", events: ["license.renewed"], status: "active" });
    expect(await patch({ description: null, events: null })).toMatchObject({
      description: "a",
      events: ["license.renewed"],
    });
    expect(await patch({ description: "" })).toMatchObject({ description: "", events: ["license.renewed"] });
    expect(await patch({ events: [] })).toMatchObject({ events: [] });
    expect(await patch({ status: "paused" })).toMatchObject({ status: "paused", url: URL_OF_RECEIVER });
    expect(await patch({ status: "paused" })).toMatchObject({ status: "paused" });
    expect(verdictOf(await reseller.path.post(`/webhook-endpoints/${id}/test`, {}))).toBe("409 INVALID_REQUEST");
    expect(await patch({ status: "active" })).toMatchObject({ status: "active" });
    expect(await patch({ url: "https://b.example/x", id: "whe_1" })).toMatchObject({ id, url: "https://b.example/x" });
  },
);

test("a rotation tells the new secret, and until when the old one signs too", async ({ reseller }) => {
  const { id, secret } = await newEndpoint(reseller);
  const { status, body } = await reseller.path.post(`/webhook-endpoints/${id}/rotate-secret`, {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ id, secret: expect.stringMatching(SECRET) });
  expect(body.secret).not.toBe(secret);
  const until = Date.parse(String(body.previous_secret_until));
  expect(Math.abs(until - Date.now() - 86_400_000)).toBeLessThan(60_000);
});

test("a test event is queued for the endpoint alone, of the kind asked for, and says that it is one", async ({
  reseller,
}) => {
  const { id } = await newEndpoint(reseller, { events: ["license.expired"] });
  await newEndpoint(reseller);
  const { status, body } = await reseller.path.post(`/webhook-endpoints/${id}/test`, { event: "wallet.low_balance" });
  expect(status).toBe(202);
  expect(body).toEqual({ event_id: expect.stringMatching(/^evt_/), event: "wallet.low_balance" });
  const event = (await reseller.path.get(`/events/${body.event_id}`)).body;
  expect(event).toMatchObject({ event: "wallet.low_balance", data: { test: true } });
  expect(event.deliveries).toMatchObject([{ webhook_endpoint_id: id }]);
  const other = await reseller.path.post(`/webhook-endpoints/${id}/test`, { event: "license.imagined" });
  expect(verdictOf(other)).toBe("400 INVALID_REQUEST");
});

test("an endpoint is pending until it meets the challenge that is sent at once; then events follow", async ({
  reseller,
}) => {
  const receiver = await startReceiver();
  receiver.meetChallenges(false);
  const { body } = await reseller.path.post("/webhook-endpoints", { url: receiver.url });
  const read = async () => (await reseller.path.get(`/webhook-endpoints/${body.id}`)).body;
  await expect.poll(async () => (await read()).challenge_error).toMatch(/not the challenge/);
  await reseller.newLicense();
  expect(await read()).toMatchObject({ status: "pending", failing_since: null });
  expect(verdictOf(await reseller.path.post(`/webhook-endpoints/${body.id}/test`, {}))).toBe("409 INVALID_REQUEST");
  receiver.meetChallenges(true);
  const verify = () => reseller.path.post(`/webhook-endpoints/${body.id}/verify`, {});
  expect(await verify()).toMatchObject({ status: 202, body: { id: body.id, challenge_error: null } });
  await expect.poll(async () => (await read()).status).toBe("active");
  expect(await read()).toMatchObject({ pending_since: null, challenge_error: null });
  await expect.poll(() => receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual(["license.activated"]);
  expect(await verify()).toMatchObject({ status: 202, body: { status: "active" } });
  await receiver.close();
});

test("a verification of one's own endpoint is limited to 60 an hour for an account", async ({ reseller }) => {
  const { body } = await reseller.path.post("/webhook-endpoints", { url: URL_OF_RECEIVER });
  const verify = () => reseller.path.post(`/webhook-endpoints/${body.id}/verify`, {});
  const answers = await Promise.all(Array.from({ length: 62 }, verify));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(59);
  const refused = answers.find(({ status }) => status !== 202);
  expect(refused && verdictOf(refused)).toBe("429 RATE_LIMITED");
  expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(3_500);
});

test("what an endpoint cannot be is INVALID_REQUEST, named, and makes none", async ({ reseller }) => {
  const url = URL_OF_RECEIVER;
  const wrong: readonly (readonly [object, string])[] = [
    [{}, "url"],
    [{ url: "" }, "url"],
    [{ url: 5 }, "url"],
    [{ url: null }, "url"],
    [{ url: ["https://a.example"] }, "url"],
    [{ url: "https://user:secret@a.example/" }, "url"],
    [{ url: "https://a.example/#x" }, "url"],
    [{ url: `https://a.example/${"a".repeat(2048)}` }, "url"],
    [{ url: "ftp://a.example/" }, "url"],
    [{ url: "javascript:alert(1)" }, "url"],
    [{ url: "https://10.0.0.1/" }, "url"],
    [{ url: "https://[fd00::1]/" }, "url"],
    [{ url: "https://169.254.169.254/latest" }, "url"],
    [{ url, events: ["license.imagined"] }, "events"],
    [{ url, events: "license.renewed" }, "events"],
    [{ url, events: [1] }, "events"],
    [{ url, description: "x".repeat(501) }, "description"],
    [{ url, description: 1 }, "description"],
    [{ url, description: "a\0b" }, "description"],
    [{ url, concurrency: 0 }, "concurrency"],
    [{ url, concurrency: 11 }, "concurrency"],
    [{ url, concurrency: 1.5 }, "concurrency"],
    [{ url, ordered: "yes" }, "ordered"],
  ];
  for (const [fields, field] of wrong) {
    const answer = await reseller.path.post("/webhook-endpoints", fields);
    expect(`${JSON.stringify(fields).slice(0, 60)} ${verdictOf(answer)}`).toContain("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual([field]);
  }
  expect((await reseller.path.get("/webhook-endpoints")).body.webhook_endpoints).toEqual([]);
  const { id } = await newEndpoint(reseller);
  for (const [fields, field] of wrong.slice(5)) {
    const answer = await send(reseller, "PATCH", `/webhook-endpoints/${id}`, { ...fields });
    expect(Object.keys(answer.body.details ?? {}), JSON.stringify(fields).slice(0, 60)).toEqual([field]);
  }
  const status = await send(reseller, "PATCH", `/webhook-endpoints/${id}`, { status: "disabled" });
  expect(verdictOf(status)).toBe("400 INVALID_REQUEST");
});

test("every kind of event can be asked for, each once", async ({ reseller }) => {
  const { id } = await newEndpoint(reseller, { events: [...eventKinds, ...eventKinds] });
  expect((await reseller.path.get(`/webhook-endpoints/${id}`)).body.events).toEqual(eventKinds);
});

test("the 21st endpoint is refused with a clear message, also of many at once", async ({ reseller }) => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => reseller.path.post("/webhook-endpoints", { url: URL_OF_RECEIVER })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(20).fill(201), ...Array(4).fill(409)]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringContaining("20 webhook endpoints"),
  });
});

test("another reseller's endpoint answers as one that does not exist, and so does what is no id (contract 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const { id } = await newEndpoint(await newReseller());
  const ask = async (id: string) => {
    const path = `/webhook-endpoints/${id}`;
    const answers = [
      await reseller.path.get(path),
      await send(reseller, "PATCH", path, { description: "x" }),
      await send(reseller, "DELETE", path),
      await reseller.path.post(`${path}/rotate-secret`, {}),
      await reseller.path.post(`${path}/test`, {}),
      await reseller.path.post(`${path}/verify`, {}),
    ];
    return answers.map(verdictOf);
  };
  const nothing = Array(6).fill("404 NOT_FOUND");
  for (const each of [id, "whe_2147483647", "whe_0", "whe_-1", "whe_1e3", "12", "x", "whe_99999999999", "%00"]) {
    expect([each, ...(await ask(each))]).toEqual([each, ...nothing]);
  }
  expect((await reseller.path.get("/webhook-endpoints")).body.webhook_endpoints).toEqual([]);
});

test("reading needs webhooks:read, changing webhooks:write; neither implies the other (contract 1.14)", async ({
  newReseller,
}) => {
  const reader = await newReseller({ scopes: ["webhooks:read"] });
  const writer = await newReseller({ scopes: ["webhooks:write"] });
  const stranger = await newReseller({ scopes: ["licenses:read", "licenses:write"] });
  expect((await reader.path.get("/webhook-endpoints")).status).toBe(200);
  expect((await reader.path.get("/events")).status).toBe(200);
  const { id } = await newEndpoint(writer);
  for (const [who, method, path] of [
    [reader, "POST", "/webhook-endpoints"],
    [reader, "PATCH", `/webhook-endpoints/${id}`],
    [reader, "DELETE", `/webhook-endpoints/${id}`],
    [reader, "POST", `/webhook-endpoints/${id}/test`],
    [reader, "POST", `/webhook-endpoints/${id}/verify`],
    [reader, "POST", `/events/evt_${randomUUID()}/resend`],
    [writer, "GET", "/webhook-endpoints"],
    [writer, "GET", `/webhook-endpoints/${id}`],
    [writer, "GET", "/events"],
    [stranger, "GET", "/webhook-endpoints"],
    [stranger, "POST", "/webhook-endpoints"],
  ] as const) {
    expect(`${method} ${path} ${verdictOf(await send(who, method, path))}`).toBe(`${method} ${path} 403 FORBIDDEN`);
  }
});

test("a POST takes an Idempotency-Key; the secret that its stored answer holds is sealed (contract 1.11)", async ({
  reseller,
}) => {
  const idempotencyKey = randomUUID();
  const create = () => reseller.path.post("/webhook-endpoints", { url: URL_OF_RECEIVER }, { idempotencyKey });
  const [first, second] = [await create(), await create()];
  expect(second.headers["idempotent-replayed"]).toBe("true");
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(second.body.secret).toMatch(SECRET);
  expect((await reseller.path.get("/webhook-endpoints")).body.webhook_endpoints).toHaveLength(1);
  const where = { resellerId_key: { resellerId: reseller.resellerId, key: idempotencyKey } };
  const record = await getRuntime().db.prisma.idempotencyRecord.findUnique({ where });
  expect(record?.body).toMatch(/^sealed:/);
  const { id } = first.body;
  const elsewhere = await reseller.path.post(`/webhook-endpoints/${id}/test`, {}, { idempotencyKey });
  expect(verdictOf(elsewhere)).toBe("422 IDEMPOTENCY_KEY_REUSED");
});
