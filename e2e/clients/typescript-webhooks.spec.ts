import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { startReceiver } from "#tests/support/receiver.ts";
import {
  createWebhookHandler,
  LicenseDesk,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from "../../clients/typescript/src/index.ts";
import { expect, test } from "../support/test.ts";

const DELIVERY_MS = 15_000;

test("delivered events are verified by the secret, the old one after a rotation too, and by no other", async ({
  reseller,
}) => {
  const desk = new LicenseDesk(reseller);
  const receiver = await startReceiver();
  try {
    const { id, secret } = await desk.webhookEndpoints.create({ url: receiver.url, events: ["license.activated"] });
    const status = () => desk.webhookEndpoints.get({ id }).then((endpoint) => endpoint.status);
    await expect.poll(status, { timeout: DELIVERY_MS }).toBe("active");
    const rotated = await desk.webhookEndpoints.rotateSecret({ id });
    const { license_id } = await reseller.newLicense();
    await expect.poll(() => receiver.received.length, { timeout: DELIVERY_MS }).toBe(1);
    const [delivered] = receiver.received;
    const webhook = { body: delivered?.body ?? "", headers: delivered?.headers ?? {} };
    for (const one of [secret, rotated.secret]) {
      expect(await verifyWebhook({ ...webhook, secret: one })).toMatchObject({
        event: "license.activated",
        data: { license_id: `lic_${license_id}` },
      });
    }
    const other = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    await expect(verifyWebhook({ ...webhook, secret: other })).rejects.toBeInstanceOf(WebhookError);
    const forged = webhook.body.replace("lic_", "lic_1");
    await expect(verifyWebhook({ ...webhook, body: forged, secret })).rejects.toBeInstanceOf(WebhookError);
  } finally {
    await receiver.close();
  }
});

test("the handler meets a challenge once it has its secret, receives events, and they can be resent", async ({
  reseller,
}) => {
  const desk = new LicenseDesk(reseller);
  const events: [WebhookEvent["event"], string][] = [];
  let secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
  const server = createServer(async (request, response) => {
    const handle = createWebhookHandler({ secret, onEvent: ({ event }, id) => events.push([event, id]) });
    const { status, body } = await handle(
      new Request("http://shop.example/hooks", {
        method: "POST",
        headers: request.headers as Record<string, string>,
        body: await buffer(request),
      }),
    ).then(async (answer) => ({ status: answer.status, body: await answer.text() }));
    response.writeHead(status).end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const created = await desk.webhookEndpoints.create({ url, events: ["license.suspended"] });
    const { id } = created;
    const endpoint = () => desk.webhookEndpoints.get({ id });
    await expect.poll(async () => (await endpoint()).challenge_error, { timeout: DELIVERY_MS }).toContain("400");
    secret = created.secret;
    await desk.webhookEndpoints.verify({ id });
    await expect.poll(async () => (await endpoint()).status, { timeout: DELIVERY_MS }).toBe("active");
    expect(events).toEqual([]);

    const { license_id } = await reseller.newLicense();
    await desk.licenses.suspend({ license_id });
    await expect.poll(() => events, { timeout: DELIVERY_MS }).toEqual([["license.suspended", expect.any(String)]]);
    const eventId = events[0]?.[1] ?? "";
    expect(await desk.events.get({ id: eventId })).toMatchObject({ event: "license.suspended" });
    await desk.events.resend({ id: eventId });
    await expect.poll(() => events.length, { timeout: DELIVERY_MS }).toBe(2);
    expect(events[1]).toEqual(events[0]);
    expect(await desk.webhookEndpoints.update({ id, status: "paused" })).toMatchObject({ status: "paused" });
    expect(await desk.webhookEndpoints.delete({ id })).toEqual({ id, deleted: true });
    expect((await desk.webhookEndpoints.list()).webhook_endpoints).toEqual([]);
  } finally {
    server.close();
  }
});
