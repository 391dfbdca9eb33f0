/** A standby takes over without the primary's last writes, while a process continues with its own state. */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLeaseKeeper } from "#lib/db/lease/keeper.ts";
import { LEASE_MS, startProcessLease } from "#lib/db/lease/process.ts";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { createPostgres, type PostgresServer } from "#tests/outside/cluster.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";

const migrationsDir = join(import.meta.dirname, "..", "..", "prisma", "migrations");
const SETUP_TIMEOUT_MS = 60_000;
const FREED_WITHIN_MS = 2 * LEASE_MS + 2_000;

let dir: string;
let primary: PostgresServer;
let standby: PostgresServer;
let replication: DatabaseProxy;
let proxy: DatabaseProxy;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "license-desk-failover-"));
  mkdirSync(join(dir, "primary"));
  mkdirSync(join(dir, "standby"));
  primary = await createPostgres(join(dir, "primary"));
  await primary.start();
  await ask(new URL("/postgres", primary.url).href, "create database license_desk");
  await primary.stop("fast");
  replication = await startDatabaseProxy(primary.url);
  standby = await primary.copyAsStandby(join(dir, "standby"), replication.url);
  await primary.start();
  await standby.start();
  proxy = await startDatabaseProxy(primary.url);
  await applyMigrations({ databaseUrl: primary.url, migrationsDir });
}, SETUP_TIMEOUT_MS);
afterEach(async () => {
  await proxy?.close();
  await replication?.close();
  await standby?.close();
  await primary?.close();
  rmSync(dir, { recursive: true, force: true });
});

async function ask<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function until(holds: () => Promise<boolean>, withinMs: number): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await holds().catch(() => false)); await sleep(100)) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms`);
  }
}

test("settlements that the standby lost are free to be claimed; work in progress stays with its process; no id is reused", async () => {
  await ask(
    primary.url,
    `insert into deployment (single, deployment_id, place, pepper_fingerprint, auth_fingerprint, encryption_fingerprint, resumed_at, timeline)
     values (true, $1, '', '', '', '', now(), current_timeline())`,
    [randomUUID()],
  );
  const lease = startProcessLease({ databaseUrl: proxy.url, readOnly: false, log: () => {} });
  try {
    await lease.ready();
    const ownerBefore = lease.ownerId;
    const reclaimed: string[] = [];
    const claim = await createLeaseKeeper(lease).begin(async ({ ownerId, token }) => {
      const rows = await ask(
        proxy.url,
        "update provider_comparisons set owner_id = $1 where lease_token = $2 returning id",
        [ownerId, token],
      );
      reclaimed.push(ownerId);
      return rows.length === 1;
    });
    await ask(primary.url, "alter table provider_comparisons drop constraint provider_comparisons_provider_fkey");
    const begin = (provider: string, token: string, url = primary.url) =>
      ask<{ id: string }>(
        url,
        `insert into provider_comparisons (provider, actor, started_at, owner_id, lease_token)
         values ($1, 'test', now(), $2, $3) returning id`,
        [provider, lease.ownerId, token],
      );
    const [forgotten] = await begin("forgotten", randomUUID());
    const [working] = await begin("working", claim.token);
    const heldBy = async (id: string | undefined) =>
      (
        await ask<{ owner_id: string | null }>(standby.url, "select owner_id from provider_comparisons where id = $1", [
          id,
        ])
      )[0]?.owner_id;
    await until(async () => (await heldBy(working?.id)) === ownerBefore, 10_000);

    replication.freeze();
    await ask(primary.url, "update provider_comparisons set finished_at = now(), owner_id = null where id = $1", [
      forgotten?.id,
    ]);
    const [lost] = await begin("lost", randomUUID());
    await primary.stop("immediate");
    await standby.promote();
    proxy.pointTo(standby.url);

    await until(async () => lease.isAlive() && lease.ownerId !== ownerBefore, 10_000);
    expect(await claim.confirm()).toBe(true);
    await until(async () => (await heldBy(forgotten?.id)) === null, FREED_WITHIN_MS);
    expect(await heldBy(working?.id)).toBe(lease.ownerId);
    expect(reclaimed).toEqual([lease.ownerId]);
    const [next] = await begin("next", randomUUID(), standby.url);
    expect(Number(next?.id)).toBeGreaterThan(Number(lost?.id) + 1_000);
  } finally {
    await lease.close();
  }
});
