import { runMigrations } from "graphile-worker";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listFreeOperations } from "#lib/db/operation/lease.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { Runtime } from "#lib/runtime.ts";
import { startBulkJob } from "#lib/services/bulk/start.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { rehearsed } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { makeJobDue } from "#tests/support/job.ts";
import { createTestProcess } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startWorker, type Worker } from "./worker.ts";

const realTime = { now: () => new Date() };
/** As many as the queue runs at once: with fewer, the small one always finds a free slot. */
const LARGE_RESELLERS = 3;
const RENEWALS = 100;
let world: World;
let worker: Worker | null = null;

beforeEach(async () => {
  world = await newWorld();
  await runMigrations({ connectionString: world.url });
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
  await world.close();
});

function start(): void {
  const webhookSender = { send: () => Promise.reject(new Error("not in this test")), close: async () => {} };
  const { leases } = createTestProcess(world.db);
  const runtime = {
    log: pino({ level: "silent" }),
    metrics: { watchPool: () => {} },
    webhookSender,
    processLease: { setJobWorkers: () => {} },
    contextFor: (actor: never) => world.context(actor, { ...realTime, leases }),
  };
  worker = startWorker(runtime as unknown as Runtime, { databaseUrl: world.url });
}

async function autoRenewed(count: number): Promise<ResellerWorld> {
  const reseller = await world.reseller({ funds: "100000" });
  for (let i = 0; i < count; i++) {
    const { licenseId } = await reseller.register({}, realTime);
    await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  }
  return reseller;
}

const makeDue = () => world.db.query(sql("update resellers set renew_ahead_days = 40"), []);

/** Renewals by reseller, in order of settlement. */
async function renewals(): Promise<number[]> {
  const text = `select reseller_id from operations where kind = 'license_renew' and state = 'succeeded'
                 order by settled_at, id`;
  return (await world.db.query(sql<{ reseller_id: number }>(text), [])).map(({ reseller_id }) => reseller_id);
}

test("a reseller with one renewal waits for only a few of those with hundreds", async () => {
  const large: ResellerWorld[] = [];
  for (let i = 0; i < LARGE_RESELLERS; i++) large.push(await autoRenewed(RENEWALS));
  const small = await autoRenewed(1);
  await makeDue();
  await makeJobDue(world.db, "renew_due");
  start();
  const total = LARGE_RESELLERS * RENEWALS + 1;
  await vi.waitFor(async () => expect(await renewals()).toHaveLength(total), { timeout: 60_000, interval: 250 });
  expect((await renewals()).indexOf(small.id)).toBeLessThan(50);
  await expectBooksToAgree(world.db);
}, 120_000);

test("the command that renews what is due alternates between resellers, too", async () => {
  const large = await autoRenewed(35);
  const small = await autoRenewed(1);
  await makeDue();
  expect(await runDueRenewals(world.context({ kind: "system", name: "operator" }, realTime))).toMatchObject({
    renewed: 36,
    failed: 0,
  });
  const order = await renewals();
  // A turn ends after ten renewals, on a busy machine after a second.
  expect(order.indexOf(small.id)).toBeLessThanOrEqual(10);
  expect(order.filter((id) => id === large.id)).toHaveLength(35);
});

test("failing renewals do not delay those after them", async () => {
  const reseller = await autoRenewed(25);
  await world.db.query(
    sql(`update licenses set cycle_id = (select c.id from billing_cycles c join products p on p.id = c.product_id 
                                            where p.slug = 'web_server' and c.months = 1)
            where id in (select id from licenses where reseller_id = $1 order by expires_at, id limit 12)`),
    [reseller.id],
  );
  await world.db.query(
    sql(`delete from prices where cycle_id in (select c.id from billing_cycles c join products p on p.id = c.product_id
                                                  where p.slug = 'web_server' and c.months = 1)`),
    [],
  );
  await makeDue();
  await makeJobDue(world.db, "renew_due");
  start();
  await vi.waitFor(async () => expect(await renewals()).toHaveLength(13), { timeout: 20_000 });
});

test("a reseller with many bulk jobs delays another's only one by a turn, not by all of them", async () => {
  const [many, one] = [await world.reseller(), await world.reseller()];
  const jobs: number[] = [];
  const suspend = async (reseller: ResellerWorld, parameters: object) => {
    const licenseIds = [await reseller.register({}, realTime), await reseller.register({}, realTime)];
    const items = licenseIds.map(({ licenseId }) => ({ licenseId, input: {} }));
    const ctx = world.context(actors.user(reseller.id), realTime);
    const job = { kind: "suspend" as const, parameters, items, quotedTotal: 0n, currency: "USD" as Currency };
    jobs.push(await startBulkJob(ctx, reseller.id, job));
  };
  // One that only another version can read, here for its missing reason, is retried later and does not delay others.
  await suspend(many, {});
  for (let i = 0; i < 12; i++) await suspend(many, { reason: "overdue" });
  await suspend(one, { reason: "overdue" });
  const only = jobs.at(-1);
  start();
  const finished = async () =>
    (
      await world.db.query(
        sql<{ id: number }>("select id from bulk_jobs where state = 'finished' order by finished_at, id"),
        [],
      )
    ).map(({ id }) => id);
  await vi.waitFor(async () => expect(await finished()).toHaveLength(jobs.length - 1), { timeout: 30_000 });
  expect(await finished()).not.toContain(jobs[0]);
  expect((await finished()).indexOf(only as number)).toBeLessThan(4);
}, 60_000);

test("one open operation per reseller is reconciled before a second of any, counting those in progress", async () => {
  const [many, one] = [await world.reseller({ funds: "10000" }), await world.reseller()];
  const open = async (reseller: ResellerWorld, type: string) => {
    const { operation } = await reseller.register({ type, ip: rehearsed.garblesAnswer });
    return operation.id;
  };
  const [first, second, third] = [
    await open(many, "control_panel"),
    await open(many, "web_server"),
    await open(many, "malware_scanner"),
  ];
  const others = await open(one, "hardened_kernel");
  await world.db.query(sql("update operations set owner_id = null, ask_at = now() - interval '1 s'"), []);
  const list = (except: string[], limit: number) => listFreeOperations(world.db, { early: false, except, limit });
  expect(await list([], 2)).toEqual([first, others]);
  expect(await list([first as string], 1)).toEqual([others]);
  expect(await list([first as string, others], 10)).toEqual([second, third]);
});
