import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createWebhookHandler, verifyWebhook, WebhookError, type WebhookEvent } from "./index.ts";

const bytes = randomBytes(32);
const secret = `whsec_${bytes.toString("base64")}`;
const renewed = JSON.stringify({
  event: "license.renewed",
  timestamp: "2027-02-01T12:00:00Z",
  data: { license_id: "lic_1" },
});

function sign(body: string, { key = bytes, id = "evt_1", ageSeconds = 0 } = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

test("the example of the contract is genuine", async () => {
  const event = await verifyWebhook({
    body: '{"event":"license.activated","timestamp":"2027-02-01T12:00:00Z","data":{"license_id":"lic_12","type":"web_server","server":"web1.example.com"}}',
    headers: {
      "webhook-id": "evt_1b4e28ba-2fa1-41d2-883f-0016d3cca427",
      "webhook-timestamp": "1801483200",
      "webhook-signature": "v1,ZbVpM/zCgcwCI8vMMAItG8Qzd0bpaG4+JyKSQeq5AnA=",
    },
    secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    toleranceSeconds: Number.POSITIVE_INFINITY,
  });
  expect(event).toMatchObject({ event: "license.activated", data: { server: "web1.example.com" } });
});

test("one of several signatures suffices, and headers come in any form", async () => {
  const headers = sign(renewed);
  const two = `v1,AAAA v2,x v1,! ${headers["webhook-signature"]}`;
  const forms = [
    { ...headers, "webhook-signature": two },
    new Headers(headers),
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  ];
  for (const form of forms) {
    expect(await verifyWebhook({ body: new TextEncoder().encode(renewed), headers: form, secret })).toEqual(
      JSON.parse(renewed),
    );
  }
});

test.each([
  ["another body", { body: `${renewed} `, headers: sign(renewed) }],
  ["another secret", { body: renewed, headers: sign(renewed, { key: randomBytes(32) }) }],
  ["another id", { body: renewed, headers: { ...sign(renewed), "webhook-id": "evt_2" } }],
  ["a timestamp of six minutes ago", { body: renewed, headers: sign(renewed, { ageSeconds: 360 }) }],
  ["a timestamp in six minutes", { body: renewed, headers: sign(renewed, { ageSeconds: -360 }) }],
  ["a timestamp that is no number", { body: renewed, headers: { ...sign(renewed), "webhook-timestamp": "now" } }],
  ["no signature", { body: renewed, headers: { ...sign(renewed), "webhook-signature": undefined } }],
  ["an empty signature", { body: renewed, headers: { ...sign(renewed), "webhook-signature": "v1," } }],
])("a webhook with %s is rejected", async (_, webhook) => {
  await expect(verifyWebhook({ ...webhook, secret })).rejects.toBeInstanceOf(WebhookError);
});

test("a secret in another form is a mistake, never an empty key", async () => {
  const headers = sign(renewed, { key: Buffer.alloc(0) });
  for (const wrong of ["", "whsec_", "whsec_!", bytes.toString("base64")]) {
    await expect(verifyWebhook({ body: renewed, headers, secret: wrong })).rejects.toBeInstanceOf(TypeError);
  }
});

test("the handler passes events on, answers challenges, and rejects the rest", async () => {
  const events: [WebhookEvent, string][] = [];
  const handle = createWebhookHandler({ secret, onEvent: (...event) => events.push(event) });
  const post = (body: string, headers: Record<string, string>) =>
    handle(new Request("https://shop.example/hooks", { method: "POST", body, headers }));
  const challenge = JSON.stringify({
    event: "webhook.endpoint_verification",
    timestamp: "",
    data: { challenge: "4c1d" },
  });
  const answer = await post(challenge, sign(challenge));
  expect([answer.status, await answer.text()]).toEqual([200, "4c1d"]);
  expect((await post(renewed, sign(renewed, { key: randomBytes(32) }))).status).toBe(400);
  expect(events).toEqual([]);
  expect((await post(renewed, sign(renewed, { id: "evt_7" }))).status).toBe(204);
  expect(events).toEqual([[JSON.parse(renewed), "evt_7"]]);
});
