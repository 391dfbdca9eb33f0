import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type DatabaseProxy, startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { createPostgres, type PostgresServer } from "#tests/outside/cluster.ts";
import { sql } from "#tests/sql.ts";
import { type Database, openDatabase } from "./client.ts";
import { withReplica } from "./replica.ts";

const SETUP_TIMEOUT_MS = 60_000;

let dir: string;
let primary: PostgresServer;
let standby: PostgresServer;
let replication: DatabaseProxy;
let toStandby: DatabaseProxy;
let db: Database;
let failures: string[];

const inMaintenance = (url: string) => new URL("/postgres", url).href;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "license-desk-replica-"));
  for (const name of ["primary", "standby"]) mkdirSync(join(dir, name));
  primary = await createPostgres(join(dir, "primary"));
  replication = await startDatabaseProxy(primary.url);
  standby = await primary.copyAsStandby(join(dir, "standby"), replication.url);
  await primary.start();
  await standby.start();
  toStandby = await startDatabaseProxy(standby.url);
  db = withReplica(
    openDatabase({ url: inMaintenance(primary.url), poolSize: 4 }),
    openDatabase({ url: inMaintenance(toStandby.url), poolSize: 4, readOnly: true }),
    { failed: (kind) => failures.push(kind), succeeded: () => {} },
  );
  await db.query(sql("create table notes (id int)"), []);
}, SETUP_TIMEOUT_MS);
beforeEach(() => {
  failures = [];
});
afterAll(async () => {
  await db?.close();
  for (const proxy of [toStandby, replication]) await proxy?.close();
  for (const server of [standby, primary]) await server?.close();
  rmSync(dir, { recursive: true, force: true });
});

const count = async (reads: Database) =>
  (await reads.query(sql("select count(*)::int as notes, pg_is_in_recovery() as replica from notes"), []))[0];

let notes = 0;
async function write(): Promise<void> {
  await db.query(sql("insert into notes values (1)"), []);
  notes += 1;
}

test("a read on the replica sees every write that was committed before, also right after it", async () => {
  let onReplica = 0;
  for (let time = 0; time < 100; time++) {
    await write();
    // At once, and after ever longer pauses, in which a busy machine's replica catches up.
    await sleep(time / 4);
    const seen = await count(await db.reads());
    expect(seen?.notes).toBe(notes);
    if (seen?.replica) onReplica += 1;
  }
  expect(onReplica).toBeGreaterThan(0);
});

test("a replica that lags, or does not answer, is not read, and is again once it has caught up", async () => {
  for (const proxy of [replication, toStandby]) {
    await expect.poll(async () => (await count(await db.reads()))?.replica, { timeout: 10_000 }).toBe(true);
    proxy.freeze();
    await write();
    const startedAtMs = performance.now();
    expect(await count(await db.reads())).toEqual({ notes, replica: false });
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    proxy.thaw();
  }
  expect(failures).not.toEqual([]);
  await expect.poll(async () => count(await db.reads()), { timeout: 10_000 }).toEqual({ notes, replica: true });
});

test("a read that the replica breaks off is answered by the primary", async () => {
  await expect.poll(async () => (await count(await db.reads()))?.replica, { timeout: 10_000 }).toBe(true);
  const reads = await db.reads();
  await standby.stop("immediate");
  expect(await count(reads)).toEqual({ notes, replica: false });
  await standby.start();
  await expect.poll(async () => count(await db.reads()), { timeout: 20_000 }).toEqual({ notes, replica: true });
}, 60_000);

test("a promoted replica, which has gone its own way, is not read", async () => {
  await standby.promote();
  await write();
  expect(await count(await db.reads())).toEqual({ notes, replica: false });
}, 60_000);
