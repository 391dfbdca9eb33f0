import { afterAll, beforeAll, expect, test } from "vitest";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { getApiKey } from "#lib/services/api-key/get.ts";
import { createKeyring } from "#lib/services/api-key/keyring.ts";
import { rotateApiKey } from "#lib/services/api-key/rotate.ts";
import { setApiKeySpendingLimit } from "#lib/services/api-key/set-spending-limit.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { actors } from "#tests/support/actors.ts";
import { ip, rehearsed } from "#tests/support/faults.ts";
import { createInbox } from "#tests/support/inbox.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

test("a late success counts against a spending limit that its key, rotated before, got while it was rejected", async () => {
  const inbox = createInbox(world);
  const reseller = await inbox.begin();
  const manager = world.context(actors.user(reseller.id));
  const first = await createResellerApiKey(manager, { name: "shop", scopes: ["licenses:write"] });
  const { apiKey, apiKeyId } = await rotateApiKey(manager, { apiKeyId: first.apiKeyId });
  const key = await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), anyLookUp);
  if (!key) expect.unreachable();
  const offer = await world.offer(reseller.id, "control_panel");
  const order = { ...offer, ipAddress: ip(rehearsed.losesRequest) };
  const { licenseKey } = await registerLicense(world.context({ kind: "api_key", ...key }), order);
  await inbox.refuseWhatWasLost();
  await setApiKeySpendingLimit(manager, { apiKeyId, limit: "100" });
  expect((await getApiKey(manager, { apiKeyId })).spent).toBe(0n);
  await inbox.hold(licenseKey, rehearsed.losesRequest);
  const { details } = await inbox.theCase("late_success");
  await inbox.act(details.id, "adopt");
  expect((await getApiKey(manager, { apiKeyId })).spent).toBe(offer.cycle.price);
  await inbox.expectDone(details.id, "adopted");
});
