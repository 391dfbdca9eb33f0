import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMigrations, LOCK_TIMEOUT_S } from "#lib/db/schema/migrate.ts";
import { readMigrationFiles } from "#lib/db/schema/migration-files.ts";
import { type ApiUser, type ApiWorld, newApiWorld } from "#tests/support/api.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { checkMigrations } from "./check-migrations.ts";

const IP = "198.51.100.20";
let world: ApiWorld;
let user: ApiUser;
let migrationsDir: string;
let licenseKey: string;
let licenseId: number;

beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user({ funds: "100000" });
  ({ licenseId, licenseKey } = await user.register({ type: "web_server", ip: IP }));
  migrationsDir = mkdtempSync(join(tmpdir(), "migrations-"));
  cpSync(join(import.meta.dirname, "..", "..", "prisma", "migrations"), migrationsDir, { recursive: true });
});
afterAll(async () => {
  rmSync(migrationsDir, { recursive: true });
  await world.close();
});

/** Applies a later version's migration while this version runs on the database. */
async function migrate(name: string, sql: string): Promise<void> {
  mkdirSync(join(migrationsDir, name));
  writeFileSync(join(migrationsDir, name, "migration.sql"), sql);
  expect(await checkMigrations(await readMigrationFiles(migrationsDir))).toEqual([]);
  expect(await applyMigrations({ databaseUrl: world.url, migrationsDir })).toEqual([name]);
}

const verify = () =>
  user.path("/license/verify", { json: JSON.stringify({ license_key: licenseKey, ip_address: IP }) });

/** Reads and writes of both interfaces, concurrently, so that each connection has prepared its statements. */
async function useEverything(): Promise<void> {
  const operationId = (await user.operations())[0]?.id ?? "";
  const offer = await world.offer(user.id, "control_panel");
  const { bundleId, cycleId } = await world.bundleOffer(user.id);
  const order = { product_id: offer.productId, cycle_id: offer.cycleId };
  const calls = () => [
    verify(),
    user.path("/licenses"),
    user.path("/license/status", { query: { license_key: licenseKey } }),
    user.path("/events"),
    user.dispatch("balance"),
    user.dispatch("products"),
    user.dispatch("operation.info", { query: { operation_id: operationId } }),
    user.dispatch("license.info", { query: { license_id: licenseId } }),
    user.dispatch("license.register", { form: { ...order, ip_address: world.freshIp() } }),
    user.dispatch("bundle.register", { form: { bundle_id: bundleId, cycle_id: cycleId, ip_address: world.freshIp() } }),
    user.dispatch("license.register", {
      form: { ...order, ip_address: world.freshIp() },
      headers: { "idempotency-key": crypto.randomUUID() },
    }),
  ];
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all([...calls(), ...calls()]);
    expect(answers.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`)).toEqual([]);
    const renewed = await user.dispatch("license.renew", { form: { license_id: licenseId } });
    expect(`${renewed.status} ${renewed.body.success}`).toBe("200 true");
  }
}

test("the current version reads, orders and renews with the expansion of a later one", async () => {
  await useEverything();
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> '_prisma_migrations' order by 1`,
  );
  await client.end();
  await migrate(
    "29990101000000_columns",
    rows
      .map(({ name }) => `alter table ${name} add column later text, add column at_last int not null default 7;`)
      .join("\n"),
  );
  await useEverything();
  await migrate("29990102000000_index", "create index concurrently if not exists licenses_later on licenses (later);");
  await migrate(
    "29990103000000_rules",
    `alter table licenses add constraint later_short check (length(later) < 100) not valid;
     create table later_notes (id int primary key, license_id int not null, reseller_id int not null,
                               foreign key (license_id, reseller_id) references licenses (id, reseller_id));
     create function later_function() returns int language sql as $$ select 1 $$;`,
  );
  await migrate("29990104000000_validate", "alter table licenses validate constraint later_short;");
  await useEverything();
  await expectBooksToAgree(world.db);
}, 120_000);

test("while a migration waits for a lock, verifications stay within their time limit", async () => {
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  await client.query("begin; select from licenses limit 1");
  setTimeout(() => void client.end(), 6_000);
  const migrating = migrate("29990105000000_locked", "alter table licenses add column even_later text;");
  let slowestMs = 0;
  let count = 0;
  let done = false;
  const finished = migrating.finally(() => {
    done = true;
  });
  while (!done) {
    const startedMs = performance.now();
    expect((await verify()).status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    count += 1;
    await sleep(20);
  }
  await finished;
  expect(slowestMs).toBeGreaterThan(LOCK_TIMEOUT_S * 500);
  expect(slowestMs).toBeLessThan(LOCK_TIMEOUT_S * 1_000 + 1_000);
  expect(count).toBeGreaterThan(50);
}, 60_000);
