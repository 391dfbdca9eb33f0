import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { planLicenseImport } from "#lib/services/license/plan-import.ts";
import { startLicenseImport } from "#lib/services/license/start-import.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getBulkJob } from "./get.ts";
import { listBulkItems } from "./list-items.ts";
import { quoteBundleBulk } from "./quote-bundles.ts";
import { quoteLicenseBulk } from "./quote-licenses.ts";
import { quoteBulkRetry } from "./quote-retry.ts";
import { retryFailedBulkItems } from "./retry.ts";
import { runBulkJob } from "./run.ts";
import { startBundleBulk } from "./start-bundles.ts";
import { startLicenseBulk } from "./start-licenses.ts";

const RISE = 700n;
let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const person = () => world.context(actors.user(reseller.id));
const run = (jobId: number) => runBulkJob(world.operator, { jobId, turnMs: 60_000 });
const itemsOf = async (jobId: number) => (await listBulkItems(person(), { jobId, after: 0, limit: 10 })).items;
const raisePrice = (cycleId: number) =>
  world.db.query(
    sql(`insert into prices (cycle_id, reseller_id, currency, price, setup_fee)
           select cycle_id, $2, currency, price + $3, setup_fee from prices
            where cycle_id = $1 and currency = 'USD' and reseller_id is null`),
    [cycleId, reseller.id, RISE],
  );

/** Each starts a job of two priced items; returns the price and its cycle. */
const kinds = {
  async renew() {
    const { cycleId, cycle } = await world.offer(reseller.id, "control_panel");
    await reseller.register();
    await reseller.register();
    const input = { change: { kind: "renew" }, selection: { filter: {} } } as const;
    const { jobId } = await startLicenseBulk(person(), { ...input, agreed: await quoteLicenseBulk(person(), input) });
    return { jobId, cycleId, price: cycle.price };
  },
  async renew_bundle() {
    const { bundleId, cycleId, cycle } = await world.bundleOffer(reseller.id);
    for (const ipAddress of [world.freshIp(), world.freshIp()]) {
      await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress });
    }
    const input = { change: { kind: "renew_bundle" }, selection: "all" } as const;
    const { jobId } = await startBundleBulk(person(), { ...input, agreed: await quoteBundleBulk(person(), input) });
    return { jobId, cycleId, price: cycle.price };
  },
  async register() {
    const { cycleId, cycle } = await world.offer(reseller.id, "control_panel");
    const rows = [world.freshIp(), world.freshIp()].map((address) => `control_panel,1,${address}`);
    const text = ["product,cycle,ip_address", ...rows].join("\n");
    const { registrations, total } = await planLicenseImport(person(), { text });
    const agreed = { text, agreedCount: registrations.length, agreedTotal: total, allowPrivateAddresses: false };
    const { jobId } = await startLicenseImport(person(), agreed);
    return { jobId, cycleId, price: cycle.price + cycle.setupFee };
  },
} as const;

describe.each(Object.entries(kinds))("%s", (_, start) => {
  test("items that failed for another price are retried at today's agreed price", async () => {
    const { jobId, cycleId, price } = await start();
    const before = await reseller.spendable();
    await raisePrice(cycleId);
    await run(jobId);
    expect((await itemsOf(jobId)).map(({ state, errorCode }) => [state, errorCode])).toEqual(
      Array(2).fill(["failed", "price_changed"]),
    );
    expect(await reseller.spendable()).toBe(before);

    const total = 2n * (price + RISE);
    expect(await quoteBulkRetry(person(), { jobId })).toEqual({
      count: 2,
      total,
      cheapest: price + RISE,
      currency: "USD",
    });
    expect(await codeOf(retryFailedBulkItems(person(), { jobId, agreedTotal: 2n * price }))).toBe("price_changed");
    expect((await itemsOf(jobId)).map(({ state }) => state)).toEqual(["failed", "failed"]);

    await retryFailedBulkItems(person(), { jobId, agreedTotal: total });
    await run(jobId);
    expect((await itemsOf(jobId)).map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
    expect(await reseller.spendable()).toBe(before - total);
    expect(await getBulkJob(person(), { jobId })).toMatchObject({ chargedTotal: total, quotedTotal: total });
  });
});

test("an item not for sale any more is not retried, even if it is sold again before the retry runs", async () => {
  const [panel, kernel] = await Promise.all(
    ["control_panel", "hardened_kernel"].map((type) => world.offer(reseller.id, type, 12)),
  );
  await reseller.register({ type: "control_panel" });
  await reseller.register({ type: "hardened_kernel" });
  const input = { change: { kind: "renew", months: 12 }, selection: { filter: {} } } as const;
  const { jobId } = await startLicenseBulk(person(), { ...input, agreed: await quoteLicenseBulk(person(), input) });
  const before = await reseller.spendable();
  const retireKernel = (at: Date | null) =>
    world.db.query(sql("update billing_cycles set retired_at = $2 where id = $1"), [kernel?.cycleId, at]);
  await raisePrice(panel?.cycleId ?? 0);
  await retireKernel(world.now());
  await run(jobId);
  const total = (panel?.cycle.price ?? 0n) + RISE;
  expect(await quoteBulkRetry(person(), { jobId })).toMatchObject({ count: 1, total, cheapest: total });
  await retryFailedBulkItems(person(), { jobId, agreedTotal: total });
  await retireKernel(null);
  await run(jobId);
  const codes = (await itemsOf(jobId)).map(({ errorCode }) => errorCode).toSorted();
  expect(codes).toEqual(["cycle_not_found", null]);
  expect(await reseller.spendable()).toBe(before - total);
});

test("nothing is retried if none of what failed is for sale any more", async () => {
  const { jobId, cycleId, price } = await kinds.renew();
  await raisePrice(cycleId);
  await run(jobId);
  await world.db.query(sql("update resellers set currency = 'CHF' where id = $1"), [reseller.id]);
  expect(await quoteBulkRetry(person(), { jobId })).toMatchObject({ count: 0, total: 0n, cheapest: null });
  expect(await codeOf(retryFailedBulkItems(person(), { jobId, agreedTotal: 0n }))).toBe("state_invalid");
  expect((await itemsOf(jobId)).map(({ errorCode }) => errorCode)).toEqual(["price_changed", "price_changed"]);
  expect(await getBulkJob(person(), { jobId })).toMatchObject({ chargedTotal: 0n, quotedTotal: 2n * price });
});

test("another reseller's job is not found", async () => {
  const { jobId } = await kinds.renew();
  const stranger = world.context(actors.user((await world.reseller()).id));
  expect(await codeOf(quoteBulkRetry(stranger, { jobId }))).toBe("not_found");
});
