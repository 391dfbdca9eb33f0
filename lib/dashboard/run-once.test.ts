import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
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

const input = { endpoint_id: 7 };

test("an action sent twice under its key runs once and returns the same value", async () => {
  const pause = vi.fn(async () => ({ done: true }));
  const action = { name: "webhooks.pause", idempotencyKey };
  expect(await runOnce(reseller.context(), action, input, pause)).toEqual({ done: true });
  expect(await runOnce(reseller.context(), action, { endpoint_id: 7 }, pause)).toEqual({ done: true });
  expect(pause).toHaveBeenCalledTimes(1);
});

test.each([
  ["another action", { name: "webhooks.resume" }, input],
  ["another thing that the page has bound", { name: "webhooks.pause", about: 2 }, input],
  ["another reseller that an admin looks at", { name: "webhooks.pause", forReseller: 2 as ResellerId }, input],
  ["other input", { name: "webhooks.pause" }, { endpoint_id: 8 }],
])("%s under the key of a successful action is refused and does not run", async (_, other, otherInput) => {
  const first = { name: "webhooks.pause", about: 1, forReseller: 1 as ResellerId, idempotencyKey };
  await runOnce(reseller.context(), first, input, async () => ({ done: true }));
  const run = vi.fn(async () => ({ done: true }));
  const second = { ...first, ...other };
  expect(await codeOf(runOnce(reseller.context(), second, otherInput, run))).toBe("idempotency_key_reused");
  expect(run).not.toHaveBeenCalled();
});

test("a change that was carried out is not refused when its form comes again with the price of the moment", async () => {
  const action = { name: "licenses.changeCores", idempotencyKey };
  const change = vi.fn(async () => ({ cores: 4 }));
  const first = { cores: 4, agreed_price: "1950" };
  expect(await runOnce(reseller.context(), action, first, change)).toEqual({ cores: 4 });
  expect(await runOnce(reseller.context(), action, { ...first, agreed_price: "1949" }, change)).toEqual({ cores: 4 });
  expect(change).toHaveBeenCalledTimes(1);
  expect(await codeOf(runOnce(reseller.context(), action, { ...first, cores: 5 }, change))).toBe(
    "idempotency_key_reused",
  );
});

test("a refused form can be sent again under its key", async () => {
  const action = { name: "licenses.new.register", idempotencyKey };
  const refused = async () => {
    throw new DomainError("insufficient_balance", "Too little.");
  };
  expect(await codeOf(runOnce(reseller.context(), action, input, refused))).toBe("insufficient_balance");
  expect(await runOnce(reseller.context(), action, input, async () => "done")).toBe("done");
});
