import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "#lib/db/connection/client.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { sql } from "#tests/sql.ts";
import { createLeaseKeeper } from "./keeper.ts";
import { LEASE_MS, type ProcessLease, startProcessLease } from "./process.ts";

let database: TestDatabase;
let db: Database;
const started: ProcessLease[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolSize: 2 });
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((lease) => lease.close()));
  await db.query(sql("delete from processes"), []);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

function start({ url = database.url, readOnly = false } = {}): ProcessLease {
  const lease = startProcessLease({ databaseUrl: url, readOnly, log: () => {} });
  started.push(lease);
  return lease;
}

const processes = async () => (await db.query(sql<{ id: string }>("select id from processes"), [])).map(({ id }) => id);

async function addProcess(leaseLeft: string): Promise<string> {
  const id = randomUUID();
  await db.query(
    sql(
      `insert into processes (id, host, pid, job_workers, started_at, lease_until)
       values ($1, 'test', 0, '{}', now(), now() + $2::interval)`,
    ),
    [id, leaseLeft],
  );
  return id;
}

const addLapsed = () => addProcess("0");

test("a process is an owner from its first contact until it is closed, by the database's time", async () => {
  const lease = start();
  expect(lease.isAlive()).toBe(false);
  await lease.ready();
  expect(lease.isAlive()).toBe(true);
  expect(await processes()).toEqual([lease.ownerId]);
  const [row] = await db.query(sql<{ now: Date }>("select clock_timestamp() as now"), []);
  expect(Math.abs(lease.now().getTime() - (row?.now.getTime() ?? 0))).toBeLessThan(1_000);
  await lease.close();
  expect(lease.isAlive()).toBe(false);
  expect(await processes()).toEqual([]);
  await expect(lease.ready()).rejects.toMatchObject({ code: "unavailable" });
});

test("a lapsed process is declared dead only after uninterrupted contact for a lease, so that live ones renew first", async () => {
  const lapsed = await addLapsed();
  const startedAtMs = performance.now();
  const lease = start();
  await lease.ready();
  await vi.waitFor(async () => expect(await processes()).not.toContain(lapsed), { timeout: 15_000, interval: 50 });
  expect(performance.now() - startedAtMs).toBeGreaterThan(LEASE_MS - 100);
  expect(await processes()).toEqual([lease.ownerId]);
});

test("a process that died while the clock was ahead is declared dead when it has been set back", async () => {
  const ahead = await addProcess("1 day");
  const lease = start();
  await lease.ready();
  await vi.waitFor(async () => expect(await processes()).not.toContain(ahead), { timeout: 15_000, interval: 50 });
  expect(await processes()).toEqual([lease.ownerId]);
});

test("a disconnected process doubts its claims, reclaims those that are still free, and declares none dead", async () => {
  const proxy = await startDatabaseProxy(database.url);
  const lease = start({ url: proxy.url });
  const keeper = createLeaseKeeper(lease);
  const reclaim = vi.fn(async () => true);
  const [kept, lost] = [await keeper.begin(reclaim), await keeper.begin(async () => false)];
  expect([kept.isHeld(), lost.isHeld(), lease.epoch()]).toEqual([true, true, 0]);
  proxy.freeze();
  await vi.waitFor(() => expect(kept.isHeld()).toBe(false), { timeout: 2 * LEASE_MS });
  await sleep(1_000);
  const lapsed = await addLapsed();
  proxy.thaw();
  await vi.waitFor(() => expect(lease.isAlive()).toBe(true), { timeout: 2 * LEASE_MS });
  expect(lease.epoch()).toBe(1);
  expect([kept.isHeld(), lost.isHeld()]).toEqual([false, false]);
  expect(await kept.confirm()).toBe(true);
  expect(await lost.confirm()).toBe(false);
  expect([kept.isHeld(), lost.isHeld()]).toEqual([true, false]);
  expect(reclaim).toHaveBeenCalledTimes(1);
  expect(await processes()).toContain(lapsed);
  await lease.close();
  await proxy.close();
});

test("in safe mode a process has the database's time, and is not stored", async () => {
  const lease = start({ readOnly: true });
  await lease.ready();
  await lease.deadReleased();
  expect(await processes()).toEqual([]);
});

test("while the database does not respond, a claim fails as unavailable", async () => {
  const proxy = await startDatabaseProxy(database.url);
  proxy.freeze();
  const lease = start({ url: proxy.url });
  for (let i = 0; i < 3; i++) await expect(lease.ready()).rejects.toMatchObject({ code: "unavailable" });
  await proxy.close();
});

test("a claim that may have been written is released repeatedly while it can still arrive", async () => {
  const lease = start();
  const release = vi.fn(async () => {});
  createLeaseKeeper(lease).abandon(release);
  await vi.waitFor(() => expect(release.mock.calls.length).toBeGreaterThan(2), { timeout: 10_000 });
});
