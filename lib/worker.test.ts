import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startJobQueue } from "#lib/db/job/queue.ts";
import type { Runtime } from "#lib/runtime.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { sql } from "#tests/sql.ts";
import { dyingAt, rehearsed } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { makeJobDue } from "#tests/support/job.ts";
import { createTestProcess } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startWebhookWorker } from "./webhook-worker.ts";
import { startWorker, type Worker } from "./worker.ts";

vi.mock("./webhook-worker.ts", { spy: true });

/** Jobs are due by the database's clock. */
const realTime = { now: () => new Date() };
const log = pino({ level: "silent" });
let world: World;
const workers: Worker[] = [];
/** Of all of them: any may take a job. */
const webhookWorkers: ReturnType<typeof startWebhookWorker>[] = [];

beforeAll(async () => {
  world = await newWorld();
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await world.close();
});

function start(): Worker {
  const webhookSender = { send: () => Promise.reject(new Error("not in this test")), close: async () => {} };
  const processLease = { setJobWorkers: () => {} };
  const { leases } = createTestProcess(world.db);
  const contextFor = (actor: never) => world.context(actor, { ...realTime, leases });
  const metrics = { watchPool: () => {} };
  const runtime = { ...realTime, log, metrics, webhookSender, processLease, contextFor };
  const worker = startWorker(runtime as unknown as Runtime, { databaseUrl: world.url });
  workers.push(worker);
  webhookWorkers.push(vi.mocked(startWebhookWorker).mock.results.at(-1)?.value);
  return worker;
}

const statesOf = async (reseller: ResellerWorld) => (await reseller.operations()).map(({ state }) => state);
const jobs = () =>
  world.db.query(
    sql<{ key: string; run_at: Date; id: bigint }>(
      "select id, key, run_at from graphile_worker.jobs where key is not null order by id",
    ),
    [],
  );
test("an unknown outcome is settled when due, and the operation of a dead process immediately", async () => {
  start();
  const reseller = await world.reseller();
  const { operation } = await reseller.register({ ip: rehearsed.garblesAnswer }, realTime);
  expect(operation.state).toBe("unknown");
  const context = dyingAt(reseller.context(realTime), "mark_operation_sent");
  await expect(reseller.register({}, context)).rejects.toThrow("process died");
  await world.crash();
  await vi.waitFor(async () => expect((await statesOf(reseller)).toSorted()).toEqual(["rejected", "unknown"]), 10_000);
  await world.db.query(sql("update operations set ask_at = now() where id = $1"), [operation.id]);
  await vi.waitFor(
    async () => expect((await statesOf(reseller)).toSorted()).toEqual(["rejected", "succeeded"]),
    10_000,
  );
  await expectBooksToAgree(world.db);
});

test("of two workers, one makes the day's backup", async () => {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-worker-"));
  vi.stubEnv("BACKUP_DIR", join(folder, "backups"));
  vi.stubEnv("DATA_DIR", join(folder, "data"));
  start();
  start();
  await makeJobDue(world.db, "back_up");
  const made = () => world.db.query(sql("select verified from backups where file is not null"), []);
  await vi.waitFor(async () => expect(await made()).toEqual([{ verified: true }]), { timeout: 30_000 });
  const isDone = sql("select from job_runs where name = 'back_up' and process_id is null and next_at > now()");
  await vi.waitFor(async () => expect(await world.db.query(isDone, [])).toHaveLength(1), { timeout: 30_000 });
  await makeJobDue(world.db, "back_up");
  await vi.waitFor(async () => expect(await world.db.query(isDone, [])).toHaveLength(1), { timeout: 30_000 });
  expect(readdirSync(join(folder, "backups"))).toHaveLength(1);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("the last run of a job is kept, with its failure", async () => {
  const folder = mkdtempSync(join(tmpdir(), "license-desk-worker-"));
  writeFileSync(join(folder, "file"), "");
  vi.stubEnv("BACKUP_DIR", join(folder, "file"));
  vi.stubEnv("DATA_DIR", join(folder, "data"));
  start();
  await world.db.query(sql("truncate backups"), []);
  await makeJobDue(world.db, "back_up");
  const failures = () => world.db.query(sql("select name from job_runs where error is not null"), []);
  await vi.waitFor(async () => expect(await failures()).toEqual([{ name: "back_up" }]), { timeout: 30_000 });
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("a webhook delivery that is queued wakes a webhook worker", async () => {
  start();
  const wakes = webhookWorkers.map((webhookWorker) => vi.spyOn(webhookWorker, "wake"));
  await vi.waitFor(() => world.db.query(sql("select from graphile_worker.jobs"), []), 10_000);
  await world.db.query(sql("select wake_webhook_delivery()"), []);
  await vi.waitFor(() => expect(wakes.some(({ mock }) => mock.calls.length > 0)).toBe(true), 10_000);
});

test("two workers renew everything due, each term once", async () => {
  start();
  const resellers = [await world.reseller(), await world.reseller()];
  for (const reseller of resellers) {
    for (let i = 0; i < 3; i++) {
      const { licenseId } = await reseller.register({}, realTime);
      await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
    }
  }
  await world.db.query(sql("update resellers set renew_ahead_days = 40"), []);
  await makeJobDue(world.db, "renew_due");
  await vi.waitFor(
    async () => {
      for (const reseller of resellers) expect(await reseller.entries()).toHaveLength(7);
    },
    { timeout: 10_000 },
  );
  await vi.waitFor(async () => expect(await jobs()).toEqual([]), 10_000);
  for (const reseller of resellers) expect(await reseller.entries()).toHaveLength(7);
  await expectBooksToAgree(world.db);
});

test("a stopped worker returns its unfinished job to the queue", async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  const begun = Promise.withResolvers<void>();
  const endless = () => {
    begun.resolve();
    return new Promise<never>(() => {});
  };
  const queue = startJobQueue({
    databaseUrl: world.url,
    jobs: { endless },
    reservedFor: null,
    log: () => {},
    onWorkers: () => {},
    onPool: () => {},
    stopGraceMs: 50,
  });
  await world.db.query(sql("select graphile_worker.add_job('endless')"), []);
  await begun.promise;
  const stoppedAt = performance.now();
  await queue.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(5_000);
  const stuck = () => world.db.query(sql("select from graphile_worker.jobs where locked_at is not null"), []);
  expect(await stuck()).toEqual([]);
});

test("a queue that fails names no worker, and names it again once it works", async () => {
  await world.db.query(sql("alter schema graphile_worker rename to hidden"), []);
  await world.db.query(sql("create schema graphile_worker"), []);
  await world.db.query(sql("create table graphile_worker.migrations (id text)"), []);
  const named: number[] = [];
  const failed = Promise.withResolvers<void>();
  const queue = startJobQueue({
    databaseUrl: world.url,
    jobs: { idle: async () => {} },
    reservedFor: null,
    log: (level) => {
      if (level === "error") failed.resolve();
    },
    onWorkers: (names) => named.push(names.length),
    onPool: () => {},
    stopGraceMs: 50,
  });
  await failed.promise;
  expect(named.at(-1)).toBe(0);
  await world.db.query(sql("drop schema graphile_worker cascade"), []);
  await world.db.query(sql("alter schema hidden rename to graphile_worker"), []);
  await vi.waitFor(() => expect(named.at(-1)).toBe(1), { timeout: 20_000 });
  await queue.stop();
  expect(named.at(-1)).toBe(0);
});

test("jobs of the queue that hang leave a slot for the reserved one", async () => {
  const renewed = Promise.withResolvers<void>();
  const queue = startJobQueue({
    databaseUrl: world.url,
    jobs: { hang: () => new Promise<never>(() => {}), renew: async () => renewed.resolve() },
    reservedFor: "renew",
    log: () => {},
    onWorkers: () => {},
    onPool: () => {},
    stopGraceMs: 50,
  });
  for (let i = 0; i < 4; i++) await world.db.query(sql("select graphile_worker.add_job('hang')"), []);
  const hanging = sql("select from graphile_worker.jobs where task_identifier = 'hang' and locked_at is not null");
  await vi.waitFor(async () => expect(await world.db.query(hanging, [])).toHaveLength(2), { timeout: 10_000 });
  await world.db.query(sql("select graphile_worker.add_job('renew')"), []);
  await renewed.promise;
  await queue.stop();
});
