import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { DomainError } from "#lib/domain/errors.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { runOnce } from "./run-once.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
});
afterAll(() => world.close());

let idempotencyKey: string;
beforeEach(() => {
  idempotencyKey = randomUUID();
});

const sent = { input: { endpoint_id: 7 }, bound: undefined };

test("an action sent twice under its key runs once and returns the same value", async () => {
  const pause = vi.fn(async () => ({ done: true }));
  const action = { name: "webhooks.pause", idempotencyKey };
  expect(await runOnce(reseller.context(), action, sent, pause)).toEqual({ done: true });
  expect(await runOnce(reseller.context(), action, { ...sent, input: { endpoint_id: 7 } }, pause)).toEqual({
    done: true,
  });
  expect(pause).toHaveBeenCalledTimes(1);
});

test("an action without a value is replayed as null", async () => {
  const pause = vi.fn(async () => {});
  const action = { name: "webhooks.pause", idempotencyKey };
  expect(await runOnce(reseller.context(), action, sent, pause)).toBeNull();
  expect(await runOnce(reseller.context(), action, sent, pause)).toBeNull();
  expect(pause).toHaveBeenCalledTimes(1);
});

test("only the first response has the secret, which is never stored", async () => {
  const create = vi.fn(async () => ({ href: "/api-keys/1", apiKey: "ld_live_1" as string | null }));
  const action = { name: "api-keys.create", idempotencyKey, unstored: { apiKey: null } };
  expect(await runOnce(reseller.context(), action, sent, create)).toEqual({
    href: "/api-keys/1",
    apiKey: "ld_live_1",
  });
  expect(await runOnce(reseller.context(), action, sent, create)).toEqual({ href: "/api-keys/1", apiKey: null });
  expect(create).toHaveBeenCalledTimes(1);
});

test.each([
  ["another action", { name: "webhooks.resume" }, {}],
  ["another thing that the page has bound", {}, { bound: { resellerId: 1, licenseId: 2 } }],
  ["another reseller that an admin looks at", {}, { bound: { resellerId: 2, licenseId: 1 } }],
  ["other input", {}, { input: { endpoint_id: 8 } }],
])("%s under the key of a successful action is rejected and does not run", async (_, otherAction, otherSent) => {
  const action = { name: "webhooks.pause", idempotencyKey };
  const first = { ...sent, bound: { resellerId: 1, licenseId: 1 } };
  await runOnce(reseller.context(), action, first, async () => ({ done: true }));
  const run = vi.fn(async () => ({ done: true }));
  const again = runOnce(reseller.context(), { ...action, ...otherAction }, { ...first, ...otherSent }, run);
  expect(await codeOf(again)).toBe("idempotency_key_reused");
  expect(run).not.toHaveBeenCalled();
});

test("a completed change is replayed when its form is sent again with the current price and version", async () => {
  const action = { name: "licenses.changeCores", idempotencyKey };
  const change = vi.fn(async () => ({ cores: 4 }));
  const send = (cores: number, agreed_price: string, seenVersion: string) =>
    runOnce(
      reseller.context(),
      action,
      { input: { cores, agreed_price }, bound: { licenseId: 1, seenVersion } },
      change,
    );
  expect(await send(4, "1950", "a")).toEqual({ cores: 4 });
  expect(await send(4, "1949", "b")).toEqual({ cores: 4 });
  expect(change).toHaveBeenCalledTimes(1);
  expect(await codeOf(send(5, "1950", "a"))).toBe("idempotency_key_reused");
});

test("a rejected form can be sent again under its key", async () => {
  const action = { name: "licenses.new.register", idempotencyKey };
  const refused = async () => {
    throw new DomainError("insufficient_balance", "Too little.");
  };
  expect(await codeOf(runOnce(reseller.context(), action, sent, refused))).toBe("insufficient_balance");
  expect(await runOnce(reseller.context(), action, sent, async () => "done")).toBe("done");
});
