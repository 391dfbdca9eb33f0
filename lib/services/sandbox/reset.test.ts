import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { getApiKey } from "#lib/services/api-key/get.ts";
import { createKeyring } from "#lib/services/api-key/keyring.ts";
import { setApiKeySpendingLimit } from "#lib/services/api-key/set-spending-limit.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { listSavedViews } from "#lib/services/saved-view/list.ts";
import { saveView } from "#lib/services/saved-view/save.ts";
import { listWebhookEndpoints } from "#lib/services/webhook/list.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf, ip, rehearsed } from "#tests/support/faults.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import { startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf, userOf } from "#tests/support/sandbox.ts";
import { newWebhooks } from "#tests/support/webhooks.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { resetSandbox } from "./reset.ts";

const DAY_MS = 86_400_000;
let world: World;
let live: ResellerWorld;
let sandbox: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  live = await world.reseller();
  sandbox = await sandboxOf(world, live);
});
afterAll(() => world.close());

const user = (reseller: ResellerWorld) => userOf(world, reseller);

const reset = async (of: ResellerWorld) => resetSandbox(user(of), { sandboxId: of.id });

describe("a reset", () => {
  test("starts over with the same keys, endpoints and saved views, and stops the old sandbox", async () => {
    const webhooks = newWebhooks(world);
    const receiver = await startReceiver();
    const { id } = await webhooks.endpoint(sandbox.id, { url: receiver.url });
    const { licenseId } = await sandbox.register();
    const { apiKey } = await createResellerApiKey(user(sandbox), { name: "ci", scopes: ["licenses:read"] });
    const person = { email: "ada@example.com", name: "Ada", passwordHash: "", resellerId: live.id };
    const { id: userId } = await world.db.prisma.user.create({ data: { ...person, role: "owner" } });
    const inTestMode = (of: ResellerWorld) =>
      world.context({ ...actors.user(of.id), userId } as ServiceContext["actor"]);
    await saveView(inTestMode(sandbox), { list: "licenses", name: "Overdue", query: "?status=expired", shared: false });
    await reset(sandbox);
    const after = await sandboxOf(world, live);
    expect(after.id).not.toBe(sandbox.id);
    expect(await after.wallet()).toMatchObject({ posted: 1_000_000n, held: 0n });
    expect(await codeOf(after.license(licenseId))).toBe("license_not_found");
    const key = await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), anyLookUp);
    expect(key).toMatchObject({ resellerId: after.id });
    expect((await listWebhookEndpoints(user(after))).map((endpoint) => endpoint.id)).toEqual([id]);
    expect(await listSavedViews(inTestMode(after), { list: "licenses" })).toMatchObject([{ name: "Overdue" }]);
    await after.register();
    await webhooks.deliver();
    expect(receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual(["license.activated"]);
    await Promise.all([receiver.close(), webhooks.sender.close()]);
    expect(await codeOf(sandbox.register())).toBe("reseller_suspended");
    expect(await live.wallet()).toMatchObject({ posted: 100_000n });
  });

  test("starts what its keys have spent over, too, also if a purchase is still open", async () => {
    const { apiKey, apiKeyId } = await createResellerApiKey(user(sandbox), { name: "ci", scopes: ["licenses:write"] });
    await setApiKeySpendingLimit(user(sandbox), { apiKeyId, limit: "14.5" });
    const buy = async (reseller: ResellerWorld, ipAddress = world.freshIp()) => {
      const key = await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), anyLookUp);
      if (!key) expect.unreachable();
      const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
      await registerLicense(world.context({ kind: "api_key", ...key }), { productId, cycleId, ipAddress });
    };
    await buy(sandbox, ip(rehearsed.losesAnswer));
    expect(await codeOf(buy(sandbox))).toBe("spending_limit_reached");
    await reset(sandbox);
    const after = await sandboxOf(world, live);
    expect(await getApiKey(user(after), { apiKeyId })).toMatchObject({ spendingLimit: 1450n, spent: 0n });
    await buy(after);
    expect(await codeOf(buy(after))).toBe("spending_limit_reached");
  });

  test("happens once, however often it is asked for: in two tabs at once, and again after its answer was lost", async () => {
    await Promise.all([reset(sandbox), reset(sandbox)]);
    const after = await sandboxOf(world, live);
    await after.register();
    await resetSandbox(user(after), { sandboxId: sandbox.id });
    expect((await sandboxOf(world, live)).id).toBe(after.id);
    expect(await after.operations()).toHaveLength(1);
  });

  test("is not possible for another reseller's sandbox, or for the live reseller", async () => {
    const other = await sandboxOf(world, await world.reseller());
    for (const sandboxId of [other.id, live.id]) {
      expect(await codeOf(resetSandbox(user(sandbox), { sandboxId }))).toBe("not_found");
    }
    await other.register();
  });

  test("happens at most ten times a day", async () => {
    for (let time = 0; time < 10; time++) await reset(await sandboxOf(world, live));
    expect(await codeOf(reset(await sandboxOf(world, live)))).toBe("rate_limited");
    world.advance(DAY_MS + 1);
    const kept = await sandboxOf(world, live);
    await reset(kept);
    expect((await sandboxOf(world, live)).id).not.toBe(kept.id);
  });
});
