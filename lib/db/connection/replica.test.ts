import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { type DatabaseProxy, startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { createPostgres, type PostgresServer } from "#tests/outside/cluster.ts";
import { sql } from "#tests/sql.ts";
import { type Database, openDatabase } from "./client.ts";
import { readReplicaState } from "./pooler.ts";
import { withReplica } from "./replica.ts";

const migrationsDir = join(import.meta.dirname, "..", "..", "..", "prisma", "migrations");

let dir: string;
let primary: PostgresServer;
let standby: PostgresServer;
/** Another standby, which takes over. */
let successor: PostgresServer;
let replication: DatabaseProxy;
let succession: DatabaseProxy;
let toStandby: DatabaseProxy;
let otherCluster: TestDatabase;
let db: Database;
let failures: string[];

const inMaintenance = (url: string) => new URL("/postgres", url).href;

beforeAll(async () => {
  otherCluster = await createTestDatabase();
  dir = mkdtempSync(join(tmpdir(), "license-desk-replica-"));
  for (const name of ["primary", "standby", "successor"]) mkdirSync(join(dir, name));
  primary = await createPostgres(join(dir, "primary"));
  replication = await startDatabaseProxy(primary.url);
  standby = await primary.copyAsStandby(join(dir, "standby"), replication.url);
  succession = await startDatabaseProxy(primary.url);
  successor = await primary.copyAsStandby(join(dir, "successor"), succession.url);
  await primary.start();
  await standby.start();
  await successor.start();
  toStandby = await startDatabaseProxy(standby.url);
  db = withReplica(
    openDatabase({ url: inMaintenance(primary.url), poolSize: 4 }),
    openDatabase({ url: inMaintenance(toStandby.url), poolSize: 4, readOnly: true }),
    { failed: (kind) => failures.push(kind), succeeded: () => {} },
  );
  await applyMigrations({ databaseUrl: inMaintenance(primary.url), migrationsDir });
  await db.query(sql("create table notes (id int)"), []);
  await db.query(
    sql(`insert into deployment (single, deployment_id, place, pepper_fingerprint, auth_fingerprint, encryption_fingerprint, resumed_at, timeline)
         values (true, gen_random_uuid(), '', '', '', '', now(), current_timeline())`),
    [],
  );
});
beforeEach(() => {
  failures = [];
});
afterAll(async () => {
  await db?.close();
  await otherCluster?.drop();
  for (const proxy of [toStandby, replication, succession]) await proxy?.close();
  for (const server of [successor, standby, primary]) await server?.close();
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
    await expect.poll(async () => (await count(await db.reads()))?.replica).toBe(true);
    proxy.freeze();
    await write();
    const startedAtMs = performance.now();
    expect(await count(await db.reads())).toEqual({ notes, replica: false });
    expect(performance.now() - startedAtMs).toBeLessThan(3_000);
    proxy.thaw();
  }
  expect(failures).not.toEqual([]);
  await expect.poll(async () => count(await db.reads())).toEqual({ notes, replica: true });
});

test("a read that the replica breaks off is answered by the primary", async () => {
  await expect.poll(async () => (await count(await db.reads()))?.replica).toBe(true);
  const reads = await db.reads();
  await standby.stop("immediate");
  expect(await count(reads)).toEqual({ notes, replica: false });
  await standby.start();
  await expect.poll(async () => count(await db.reads())).toEqual({ notes, replica: true });
});

test.each([
  ["of another cluster", () => otherCluster.url],
  ["of the same cluster", () => standby.url],
])("a database without our tables, %s, is another database, and no failure of the replica", async (_, serverUrl) => {
  const url = new URL("/template1", serverUrl()).href;
  expect(await readReplicaState(url, inMaintenance(primary.url))).toBe("another database");
  const primaryPool = openDatabase({ url: inMaintenance(primary.url), poolSize: 4 });
  const other = openDatabase({ url, poolSize: 4, readOnly: true });
  const misled = withReplica(primaryPool, other, { failed: (kind) => failures.push(kind), succeeded: () => {} });
  try {
    // A connection that a busy machine makes too late is a failure; after one, the replica is left alone for a second.
    await expect
      .poll(
        async () => {
          failures = [];
          expect(await count(await misled.reads())).toEqual({ notes, replica: false });
          return failures;
        },
        { interval: 1_100 },
      )
      .toEqual([]);
  } finally {
    await misled.close();
  }
});

test("a replica that a failover left behind is not read, although it has replayed more than the new primary has written", async () => {
  const replica = openDatabase({ url: inMaintenance(standby.url), poolSize: 4, readOnly: true });
  const after = openDatabase({ url: inMaintenance(successor.url), poolSize: 4 });
  const failedOver = withReplica(after, replica, { failed: (kind) => failures.push(kind), succeeded: () => {} });
  try {
    await expect.poll(async () => (await count(after))?.notes).toBe(notes);
    succession.freeze();
    await write();
    await db.query(sql("select pg_logical_emit_message(false, 'lost', repeat('x', 20000000))"), []);
    await expect.poll(async () => count(await db.reads())).toEqual({ notes, replica: true });
    await primary.stop("immediate");
    await successor.promote();
    expect(await readReplicaState(inMaintenance(standby.url), inMaintenance(successor.url))).toBe("unknown");
    await after.query(sql("select began from begin_timeline()"), []);
    expect(await readReplicaState(inMaintenance(standby.url), inMaintenance(successor.url))).toBe("left behind");
    const [lost] = await after.query(sql("select pg_current_wal_lsn()::text as position"), []);
    const [ahead] = await replica.query(sql("select pg_last_wal_replay_lsn() > $1::pg_lsn as further"), [
      lost?.position,
    ]);
    expect(ahead).toEqual({ further: true });
    expect(await count(await failedOver.reads())).toEqual({ notes: notes - 1, replica: false });
    expect(failures).toEqual([]);
  } finally {
    await failedOver.close();
    await primary.start();
  }
  expect(await readReplicaState(inMaintenance(standby.url), inMaintenance(primary.url))).toBe("replica");
}, 60_000);

test("a promoted replica, which has gone its own way, is not read", async () => {
  await standby.promote();
  await write();
  expect(await count(await db.reads())).toEqual({ notes, replica: false });
}, 60_000);
