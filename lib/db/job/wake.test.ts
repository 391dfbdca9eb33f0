/** What arrives wakes a worker: it does not wait for the next poll or sweep. */
import { once } from "node:events";
import { runMigrations } from "graphile-worker";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ResellerId } from "#lib/domain/ids.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { startRelocation } from "#lib/services/relocation/start.ts";
import { runDueRenewals, wakeRenewals } from "#lib/services/renewals/run-due.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { fillServer } from "#tests/support/server.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";

const DAY_MS = 86_400_000;
const ENDPOINT = { url: "http://127.0.0.1:1" };
let world: World;
let webhooks: Webhooks;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld({ start: new Date() });
  webhooks = newWebhooks(world);
  await runMigrations({ connectionString: world.url });
});
beforeEach(async () => {
  await forget();
  reseller = await world.reseller();
});
afterAll(async () => {
  await webhooks.sender.close();
  await world.close();
});

const run = (text: string, ...values: unknown[]) => world.db.query(sql(text), values);
const jobs = () =>
  run("select task_identifier as task, key from graphile_worker.jobs where run_at <= now() order by id");
const keys = async () => (await jobs()).map(({ key }) => key);
const change = (set: string) => run(`update graphile_worker._private_jobs set ${set}`);
/** As a worker takes them. */
const lock = () => change("locked_at = now(), locked_by = 'worker'");
const forget = () => run("delete from graphile_worker._private_jobs");

async function makeDue({ id, register, context }: ResellerWorld): Promise<ResellerId> {
  const { licenseId } = await register();
  await setLicenseAutoRenew(context(), { licenseId, on: true });
  await run("update licenses set expires_at = $2 where id = $1", licenseId, new Date(world.now().getTime() + DAY_MS));
  await forget();
  return id;
}

test("the jobs of a process that died are free at once, and other workers are notified", async () => {
  const listener = new pg.Client(world.url);
  await listener.connect();
  await listener.query('listen "jobs:insert"');
  const added = once(listener, "notification");
  await run("select graphile_worker.add_job('renew_reseller')");
  await added;
  await lock();
  await world.operator.leases.begin(async () => false);
  await run("update processes set job_workers = '{worker}' where id = $1", world.process.ownerId);
  const told = once(listener, "notification");
  await world.crash();
  expect(await run("select locked_by from graphile_worker.jobs")).toEqual([{ locked_by: null }]);
  await told;
  await listener.end();
});

describe("a webhook delivery", () => {
  const deliveries = async () => (await jobs()).filter(({ task }) => task === "deliver_webhooks").length;

  test("wakes a worker, whatever else waits, and many at once wake one", async () => {
    await webhooks.endpoint(reseller.id, ENDPOINT);
    await forget();
    await run("select graphile_worker.add_job('renew_reseller', run_at => now() + interval '1 day')");
    await webhooks.emit(reseller.id);
    expect(await deliveries()).toBe(1);
    await webhooks.emit(reseller.id);
    expect(await deliveries()).toBe(1);
  });

  test("wakes a worker although another one has just been woken, or once could not be", async () => {
    await webhooks.endpoint(reseller.id, ENDPOINT);
    await forget();
    await webhooks.emit(reseller.id);
    await lock();
    await webhooks.emit(reseller.id);
    expect(await deliveries()).toBe(2);
    await change("locked_at = null, locked_by = null, attempts = max_attempts");
    await webhooks.emit(reseller.id);
    expect(await deliveries()).toBe(3);
  });

  test("of nobody wakes nobody", async () => {
    await webhooks.emit(reseller.id);
    expect(await deliveries()).toBe(0);
  });

  test("to verify a new endpoint wakes a worker", async () => {
    await webhooks.endpoint(reseller.id, ENDPOINT, { pending: true });
    expect(await deliveries()).toBe(1);
  });
});

test("a bulk job wakes a worker for its reseller", async () => {
  const { from } = await fillServer(world, reseller);
  await forget();
  const jobId = await startRelocation(world.context(actors.user(reseller.id)), { from, to: world.freshIp() });
  expect(await run("select key, payload from graphile_worker._private_jobs where key is not null")).toEqual([
    { key: `run_bulk_jobs:${reseller.id}`, payload: { resellerId: reseller.id, after: jobId } },
  ]);
});

test("the end of a suspension wakes a worker for the reseller's bulk jobs and renewals", async () => {
  const { from } = await fillServer(world, reseller);
  await startRelocation(world.context(actors.user(reseller.id)), { from, to: world.freshIp() });
  const set = (suspended: boolean) =>
    setResellerSuspended(world.operator, { resellerId: reseller.id, suspended, reason: "Unpaid" });
  await set(true);
  await forget();
  await set(false);
  expect(await keys()).toEqual([`run_bulk_jobs:${reseller.id}`, `renew_reseller:${reseller.id}`]);
});

describe("a due renewal", () => {
  const wake = async () => {
    await wakeRenewals(world.operator);
    return (await keys()).toSorted();
  };

  test("wakes a worker for each reseller, even while others are being served", async () => {
    const one = await makeDue(reseller);
    expect(await wake()).toEqual([`renew_reseller:${one}`]);
    const two = await makeDue(await world.reseller());
    await wake();
    await lock();
    const three = await makeDue(await world.reseller());
    expect(await wake()).toEqual([one, two, three].map((id) => `renew_reseller:${id}`).toSorted());
    await runDueRenewals(world.operator);
  });

  test("leaves a turn that waits or runs as it is, and replaces one that has failed for good", async () => {
    await makeDue(reseller);
    await wake();
    await change("run_at = now() - interval '1 minute', attempts = 3");
    const before = await run("select * from graphile_worker._private_jobs");
    await wake();
    expect(await run("select * from graphile_worker._private_jobs")).toEqual(before);
    await change("attempts = max_attempts");
    await wake();
    expect(await run("select attempts from graphile_worker._private_jobs where key is not null")).toEqual([
      { attempts: 0 },
    ]);
    await runDueRenewals(world.operator);
  });
});
