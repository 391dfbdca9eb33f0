import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDispatchProvider } from "#lib/adapters/provider-dispatch.ts";
import { guardProvider } from "#lib/adapters/provider-guard.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { sql } from "#tests/sql.ts";
import { closeServices, data, json, refusal, service } from "#tests/support/dispatch-service.ts";
import { newWorld, type World } from "#tests/support/world.ts";

const ANSWERS_AFTER_MS = 300;
/** Shorter than the burst takes, and longer than one answer on a slow machine. */
const TIMEOUT_MS = 4_500;
/** So long that no order of a burst gives up its turn because the machine is slow. */
const LONG_TIMEOUT_MS = 20_000;

let world: World;
beforeAll(async () => {
  world = await newWorld();
  await world.db.query(sql("update products set provider_sku = id::text"), []);
  await world.db.query(sql("update billing_cycles set provider_cycle = id::text"), []);
});
afterAll(() => {
  closeServices();
  return world.close();
});

const providerAt = (port: number, timeoutMs: number) =>
  createDispatchProvider({
    name: "up",
    baseUrl: `http://127.0.0.1:${port}/api/v1/`,
    apiKey: "lk_live_secret",
    signingSecret: null,
    timeoutMs,
    now: () => new Date(),
  });

test("a reseller's burst neither delays another's order at the same provider nor opens the breaker for all", async () => {
  let licenses = 0;
  const { port } = await service(async (...exchange) => {
    await sleep(ANSWERS_AFTER_MS);
    data({ license_id: ++licenses, price: 1, currency: "USD" })(...exchange);
  });
  const provider = providerAt(port, TIMEOUT_MS);
  // Its limit would refuse half of the burst at once, but no burst of renewals.
  const { addressLookupLimit: _, ...guarded } = guardProvider(provider, { failuresToOpen: 5, coolDownMs: 30_000 });
  const providers = new Map<string, LicenseProvider>([[world.provider.name, guarded]]);
  const [greedy, other] = [await world.reseller({ funds: "10000" }), await world.reseller()];
  const order = (reseller: typeof other) =>
    reseller.register({}, { providers }).then(({ pending }) => (pending ? "pending" : "done"));
  const burst = Array.from({ length: 300 }, () => order(greedy).catch(({ code }) => code as string));
  await sleep(ANSWERS_AFTER_MS);
  expect(await order(other)).toBe("done");
  const outcomes = new Set(await Promise.all(burst));
  expect(outcomes).toEqual(new Set(["done", "provider_busy"]));
  expect(guarded.health?.()).toMatchObject({ state: "closed" });
  expect(await greedy.wallet()).toMatchObject({ held: 0n });
  expect(await order(greedy)).toBe("done");
  await provider.close?.();
});

test("a reseller's burst leaves a part of our account's rate limit at a provider to others, until it counts again", async () => {
  const LIMIT = 60;
  const WINDOW_S = 60;
  let licenses = 0;
  let [used, resetsAtS] = [0, Math.ceil(Date.now() / 1_000) + WINDOW_S];
  const { port } = await service((...exchange) => {
    used++;
    const headers = {
      "x-ratelimit-limit": String(LIMIT),
      "x-ratelimit-remaining": String(Math.max(0, LIMIT - used)),
      "x-ratelimit-reset": String(resetsAtS),
    };
    const license = { license_id: ++licenses, price: 1, currency: "USD" };
    const answer =
      used > LIMIT ? json(429, refusal("RATE_LIMITED"), headers) : json(200, { success: true, data: license }, headers);
    answer(...exchange);
  });
  const provider = providerAt(port, LONG_TIMEOUT_MS);
  const { addressLookupLimit: _, ...shared } = provider;
  const providers = new Map<string, LicenseProvider>([[world.provider.name, shared]]);
  const [greedy, other] = [await world.reseller({ funds: "10000" }), await world.reseller()];
  const order = (reseller: typeof other) =>
    reseller.register({}, { providers }).then(
      ({ pending }) => (pending ? "pending" : "done"),
      ({ code }) => code as string,
    );
  const burst = await Promise.all(Array.from({ length: 150 }, () => order(greedy)));
  expect(new Set(burst)).toEqual(new Set(["done", "provider_busy"]));
  const done = burst.filter((outcome) => outcome === "done").length;
  expect(done).toBeGreaterThanOrEqual(LIMIT * 0.8);
  expect(done).toBeLessThan(LIMIT);
  for (let more = 0; more < 4; more++) expect(await order(other)).toBe("done");
  [used, resetsAtS] = [0, resetsAtS + WINDOW_S];
  expect(await order(other)).toBe("done");
  expect(await order(greedy)).toBe("done");
  expect(await greedy.wallet()).toMatchObject({ held: 0n });
  await provider.close?.();
});
