import { afterEach, describe, expect, test } from "vitest";
import { type Cidr, parseCidr } from "#lib/domain/cidr.ts";
import { PUBLIC_TARGETS } from "#lib/domain/public-address.ts";
import type { WebhookReply } from "#lib/ports/webhook-sender.ts";
import { type Receiver, startReceiver } from "#tests/support/receiver.ts";
import { createHttpWebhookSender, type WebhookSenderOptions } from "./webhook-sender-http.ts";

const LOOPBACK = { allowHttp: true, allowedCidrs: [parseCidr("127.0.0.0/8") as Cidr] };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function receiver(...answer: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...answer);
  cleanups.push(() => started.close());
  return started;
}

async function send(
  url: string,
  { target = "127.0.0.1", ...options }: Partial<WebhookSenderOptions> & { readonly target?: string } = {},
): Promise<WebhookReply> {
  const sender = createHttpWebhookSender({ rules: LOOPBACK, timeoutMs: 1_500, ...options });
  cleanups.push(() => sender.close());
  return sender.send({ url, target, failures: 0, headers: { "webhook-id": "evt_1" }, body: '{"event":"x"}' });
}

const failed = (pattern: RegExp) => ({ kind: "failed", error: expect.stringMatching(pattern) });

describe("no connection is made to a non-public address (contract 4.4)", () => {
  const elsewhere = (port: string, host: string) => `http://${host}:${port}/`;

  test.each([
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "0.0.0.0",
    "localhost",
    "[::1]",
  ])("%s", async (host) => {
    const { url, connections } = await receiver();
    const reply = await send(elsewhere(new URL(url).port, host), {
      rules: PUBLIC_TARGETS,
      resolve: async () => ["127.0.0.1", "::1"],
    });
    expect(reply).toEqual(failed(/private or reserved/));
    expect(connections()).toBe(0);
  });

  test.each([
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "fc00::1",
    "fe80::1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "ff02::1",
    "::",
  ])("a name that resolves to %s", async (address) => {
    const reply = await send("http://hooks.example/", { rules: PUBLIC_TARGETS, resolve: async () => [address] });
    expect(reply).toEqual(failed(/private or reserved/));
  });

  test("a name that is public when it is checked, and loopback when it is connected to", async () => {
    const { url, connections, received } = await receiver();
    let allowed = true;
    const sender = createHttpWebhookSender({
      rules: { allowHttp: true, allowedCidrs: [parseCidr("127.0.0.1/32") as Cidr] },
      timeoutMs: 1_500,
      resolve: async () => [allowed ? "127.0.0.1" : "127.0.0.2"],
    });
    cleanups.push(() => sender.close());
    const request = {
      url: `http://rebinding.example:${new URL(url).port}/`,
      target: "127.0.0.1",
      failures: 0,
      headers: { connection: "close" },
      body: "",
    };
    expect(await sender.send(request)).toMatchObject({ kind: "answered", status: 204 });
    allowed = false;
    expect(await sender.send(request)).toEqual(failed(/private or reserved/));
    expect([connections(), received.length]).toEqual([1, 1]);
  });

  test("only the allowed addresses of a name are connected to", async () => {
    const { url, connections } = await receiver();
    const target = elsewhere(new URL(url).port, "mixed.example");
    expect(await send(target, { resolve: async () => ["::1", "10.0.0.1", "127.0.0.1"] })).toMatchObject({
      status: 204,
    });
    expect(connections()).toBe(1);
  });

  test("this machine's own public address is reached only if it is allowed", async () => {
    const own = { readOwnAddresses: () => ["::ffff:192.175.0.1", "127.0.0.1"], resolve: async () => ["192.175.0.1"] };
    const rules = { ...PUBLIC_TARGETS, allowHttp: true };
    expect(await send("http://own.example:9/", { ...own, rules, target: "192.175.0.1" })).toEqual(
      failed(/this server's own/),
    );
    const { url } = await receiver();
    expect(await send(url, own)).toMatchObject({ status: 204 });
  });

  test("a proxy from the environment is ignored", async () => {
    const proxy = await receiver();
    process.env.http_proxy = proxy.url;
    cleanups.push(() => delete process.env.http_proxy);
    await send("http://hooks.example/", { rules: PUBLIC_TARGETS, resolve: async () => ["10.0.0.1"] });
    expect(proxy.connections()).toBe(0);
  });
});
