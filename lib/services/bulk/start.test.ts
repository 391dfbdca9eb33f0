import { afterAll, beforeAll, expect, test } from "vitest";
import type { Currency } from "#lib/domain/money.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { actors, newWorld, type World } from "#tests/support/world.ts";
import { startBulkJob } from "./start.ts";

let world: World;
let reseller: ResellerWorld;

beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
});
afterAll(() => world.close());

test("the same form sent twice starts one job", async () => {
  const { licenseId } = await reseller.register();
  const job = {
    kind: "set_auto_renew",
    parameters: { on: true },
    items: [{ licenseId }],
    quotedTotal: 0n,
    currency: "USD" as Currency,
  } as const;
  const ctx = world.context(actors.user(reseller.id), { idempotencyKey: "web:1:form" });
  expect(await startBulkJob(ctx, reseller.id, job)).toBe(await startBulkJob(ctx, reseller.id, job));
});
