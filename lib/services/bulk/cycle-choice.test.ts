import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getBulkJob } from "./get.ts";
import { listBulkItems } from "./list-items.ts";
import { quoteLicenseBulk } from "./quote-licenses.ts";
import { quoteBulkRetry } from "./quote-retry.ts";
import { retryFailedBulkItems } from "./retry.ts";
import { runBulkJob } from "./run.ts";
import { startLicenseBulk } from "./start-licenses.ts";

const selection = { filter: {} };
const yearly = { kind: "renew", months: 12 } as const;
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
const quote = (change: typeof yearly | { kind: "renew" }) => quoteLicenseBulk(person(), { change, selection });
const start = async () =>
  (await startLicenseBulk(person(), { change: yearly, selection, agreed: await quote(yearly) })).jobId;
const run = (jobId: number) => runBulkJob(world.operator, { jobId, turnMs: 60_000 });

test("renewing by another cycle charges its quoted price, and later renewals use it", async () => {
  const { licenseId } = await reseller.register();
  const { cycle, cycleId } = await world.offer(reseller.id, "control_panel", 12);
  expect((await quote({ kind: "renew" })).cycleLengths).toContainEqual({ months: 12, count: 1 });
  expect(await quote(yearly)).toMatchObject({ count: 1, total: cycle.price });
  const before = await reseller.spendable();
  const { expiresAt } = await reseller.license(licenseId);
  const jobId = await start();
  await run(jobId);
  const renewed = await reseller.license(licenseId);
  expect(renewed.cycleId).toBe(cycleId);
  expect(renewed.expiresAt.getUTCFullYear()).toBe(expiresAt.getUTCFullYear() + 1);
  expect(before - (await reseller.spendable())).toBe(cycle.price);
  expect(await getBulkJob(person(), { jobId })).toMatchObject({ quotedTotal: cycle.price, parameters: { months: 12 } });
  expect((await quote(yearly)).total).toBe((await quote({ kind: "renew" })).total);
});

test("a license whose product does not sell that cycle is skipped, with its reason", async () => {
  await reseller.register();
  const { licenseId } = await reseller.register({ type: "web_server" });
  const { productId } = await world.offer(reseller.id, "web_server");
  await world.db.query(sql("update billing_cycles set retired_at = now() where product_id = $1 and months = 12"), [
    productId,
  ]);
  expect(await quote(yearly)).toMatchObject({
    count: 1,
    skipped: [{ reason: "no_cycle", count: 1 }],
    cycleLengths: expect.arrayContaining([{ months: 12, count: 1 }]),
  });
  const jobId = await start();
  await run(jobId);
  const { items } = await listBulkItems(person(), { jobId, after: 0, limit: 10 });
  expect(items.find((item) => item.licenseId === licenseId)).toMatchObject({ state: "skipped", errorCode: "no_cycle" });
  await world.db.query(sql("update billing_cycles set retired_at = null where product_id = $1"), [productId]);
});

test("what failed is priced by the chosen cycle again, and retried by it", async () => {
  const { licenseId } = await reseller.register();
  const { cycleId, cycle } = await world.offer(reseller.id, "control_panel", 12);
  const jobId = await start();
  await world.db.query(sql("update prices set price = price + 1 where cycle_id = $1"), [cycleId]);
  await run(jobId);
  const retry = await quoteBulkRetry(person(), { jobId });
  expect(retry).toMatchObject({ count: 1, total: cycle.price + 1n });
  await retryFailedBulkItems(person(), { jobId, agreedTotal: retry.total });
  await run(jobId);
  expect((await reseller.license(licenseId)).cycleId).toBe(cycleId);
});
