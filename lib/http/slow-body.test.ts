/** Requests whose key ends before the last byte of their body has come (contract 1.13). */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { signRequest } from "#lib/domain/request-signature.ts";
import { scopes } from "#lib/domain/scopes.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import { apiFetch } from "#lib/http/route-table.ts";
import { handleMcpRequest } from "#lib/mcp/handle.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { revokeApiKey } from "#lib/services/api-key/revoke.ts";
import { type ApiUser, type ApiWorld, newApiWorld, SOURCE } from "#tests/support/api.ts";
import { digestTenant } from "#tests/support/digest-tenant.ts";
import { ENCRYPTION_KEY } from "#tests/support/webhooks.ts";

vi.stubEnv("ENCRYPTION_KEY", ENCRYPTION_KEY);
let world: ApiWorld;
let user: ApiUser;
beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user({ funds: "1000" });
});
afterAll(() => world.close());

type Prepare = () => Promise<{ readonly target: string; readonly fields: object }>;

const requests: Record<string, Prepare> = {
  async "dispatch interface"() {
    const { productId: product_id, cycleId: cycle_id } = await world.offer(user.id, "control_panel");
    const fields = { product_id, cycle_id, ip_address: world.freshIp() };
    return { target: "/api/v1/?endpoint=license.register", fields };
  },
  async "path interface"() {
    const { licenseKey: license_key } = await user.register();
    return { target: "/api/v1/license/terminate", fields: { license_key } };
  },
  async "tools for language models"() {
    return { target: "/mcp", fields: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} } };
  },
};

/** Of all that the reseller has, but its keys, their log and their used signatures. */
const digest = async () =>
  Object.entries(await digestTenant(world.db, user.id)).filter(([table]) => !/^(api_|used_signatures)/.test(table));

/** Sends the last byte after `meanwhile`, when no lookup of the key is remembered. */
async function sendSlowly(prepare: Prepare, isSigned: boolean, meanwhile: (apiKeyId: ApiKeyId) => Promise<unknown>) {
  const { target, fields } = await prepare();
  const signing = isSigned ? "required" : null;
  const settings = { ...world.operator.settings, sealingKey: parseSealingKey(ENCRYPTION_KEY) };
  const created = await createResellerApiKey(
    { ...world.operator, settings },
    {
      resellerId: user.id,
      name: "slow",
      scopes,
      signing,
    },
  );
  const body = JSON.stringify(fields);
  const bytes = new TextEncoder().encode(body);
  const { signingSecret: secret, apiKey } = created;
  const signature = secret && signRequest(secret, { method: "POST", target, body }, Math.floor(Date.now() / 1_000));
  const init = {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "x-api-key": apiKey,
      "content-type": "application/json",
      ...(signature ? { "x-signature": signature } : {}),
    },
    body: new ReadableStream<Uint8Array>(
      {
        /** The API begins to read once it has accepted the key. */
        async pull(controller) {
          controller.enqueue(bytes.subarray(0, -1));
          await meanwhile(created.apiKeyId);
          await sleep(1_000);
          controller.enqueue(bytes.subarray(-1));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    ),
    duplex: "half",
  };
  const request = new Request(`http://desk.test${target}`, init);
  const handle = target === "/mcp" ? handleMcpRequest : apiFetch;
  const answer = await handle(request, { peerAddress: SOURCE, target });
  return { status: answer.status, text: await answer.text() };
}

describe.each(Object.entries(requests))("a request of the %s with a slow body", (_, prepare) => {
  test.each([
    ["plain", false],
    ["signed", true],
  ])("and a %s key that is revoked meanwhile is refused and changes nothing", async (_, isSigned) => {
    let before: unknown;
    const { status, text } = await sendSlowly(prepare, isSigned, async (apiKeyId) => {
      await revokeApiKey(user.admin(), { apiKeyId });
      before = await digest();
    });
    expect(text).toContain("is invalid, expired or revoked");
    expect(status).toBe(401);
    expect(await digest()).toEqual(before);
  });

  test("and a valid key is answered", async () => {
    expect(await sendSlowly(prepare, true, async () => {})).toMatchObject({ status: 200 });
  });
});
