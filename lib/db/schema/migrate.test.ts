import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { applyMigrations, listPendingMigrations, MigrationError } from "./migrate.ts";

let database: TestDatabase;
let migrationsDir: string;

beforeEach(async () => {
  database = await createTestDatabase();
  migrationsDir = mkdtempSync(join(tmpdir(), "migrations-"));
  writeFileSync(join(migrationsDir, "migration_lock.toml"), 'provider = "postgresql"\n');
  await query("drop schema public cascade; create schema public");
});

afterEach(async () => {
  rmSync(migrationsDir, { recursive: true });
  await database.drop();
});

function addMigration(name: string, sql: string): void {
  mkdirSync(join(migrationsDir, name));
  writeFileSync(join(migrationsDir, name, "migration.sql"), sql);
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const apply = () => applyMigrations({ databaseUrl: database.url, migrationsDir });

test("a semicolon inside a function or a comment does not end a statement", async () => {
  addMigration(
    "20260101000000_function",
    "-- one; two\ncreate function answer() returns int language plpgsql as $$ begin return 42; end; $$;",
  );
  expect(await apply()).toEqual(["20260101000000_function"]);
  expect(await query("select answer()")).toEqual([{ answer: 42 }]);
});

test("instances that start together apply each migration once", async () => {
  addMigration("20260101000000_first", "create table first_table (id int);");
  addMigration("20260102000000_second", "create index concurrently if not exists first_id on first_table (id);");
  const applied = await Promise.all([apply(), apply(), apply()]);
  expect(applied.flat().sort()).toEqual(["20260101000000_first", "20260102000000_second"]);
  expect(await apply()).toEqual([]);
});

test("a failing migration changes nothing, and stops every later start until it is resolved", async () => {
  addMigration("20260101000000_wrong", "create table left_over (id int); create table wrong (id no_such_type);");
  await expect(apply()).rejects.toThrow(/^Migration 20260101000000_wrong: .*no_such_type.* Nothing was changed\.$/);
  expect(await query("select from pg_tables where schemaname = 'public'")).toEqual([]);
  await expect(apply()).rejects.toThrow(MigrationError);
  rmSync(join(migrationsDir, "20260101000000_wrong"), { recursive: true });
  addMigration("20260101000000_wrong", "create table left_over (id int);");
  expect(await apply()).toEqual(["20260101000000_wrong"]);
});

test("migrations before a failing one remain applied", async () => {
  addMigration("20260101000000_right", "create table kept (id int);");
  addMigration("20260102000000_wrong", "select no_such_function();");
  await expect(apply()).rejects.toThrow(/^Migration 20260102000000_wrong: /);
  expect(await query("select migration_name from _prisma_migrations")).toEqual([
    { migration_name: "20260101000000_right" },
  ]);
});

test("a migration cannot leave its transaction", async () => {
  addMigration("20260101000000_commits", "create table left_over (id int);\nCOMMIT;\nselect 1;");
  await expect(apply()).rejects.toThrow(/20260101000000_commits begins or ends a transaction/);
  expect(await query("select to_regclass('left_over') as found")).toEqual([{ found: null }]);
});

test("a migration tries five times to get a lock, then fails with one line and changes nothing", async () => {
  addMigration("20260101000000_table", "create table busy (id int);");
  await apply();
  addMigration("20260102000000_column", "create table left_over (id int); alter table busy add column more int;");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("begin; select from busy");
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  await expect(applyMigrations({ databaseUrl: database.url, migrationsDir, log })).rejects.toThrow(
    /^Migration 20260102000000_column: another session has locked .* in 5 attempts of 2 s\. Nothing was changed; .*$/,
  );
  expect(lines).toEqual([
    "Migration 20260102000000_column waits for another session, which has locked what it changes.",
  ]);
  await client.end();
  expect(await query("select to_regclass('left_over') as found")).toEqual([{ found: null }]);
  expect(await apply()).toEqual(["20260102000000_column"]);
});

test("a lock that is released in time is waited for", async () => {
  addMigration("20260101000000_table", "create table busy (id int);");
  await apply();
  addMigration("20260102000000_column", "alter table busy add column more int;");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("begin; select from busy");
  setTimeout(() => void client.end(), 3_000);
  expect(await apply()).toEqual(["20260102000000_column"]);
});

test("an index is created concurrently and recorded, even after an interrupted attempt", async () => {
  addMigration("20260101000000_table", "create table busy (id int); insert into busy values (1), (1);");
  await apply();
  const sql = "-- why\ncreate unique index concurrently if not exists busy_id on busy (id);";
  addMigration("20260102000000_index", sql);
  await expect(apply()).rejects.toThrow(/^Migration 20260102000000_index: could not create unique index/);
  const isValid = "select indisvalid from pg_index where indexrelid = to_regclass('busy_id')";
  expect(await query(isValid)).toEqual([]);
  await expect(query(sql)).rejects.toThrow(/could not create unique index/);
  expect(await query(isValid)).toEqual([{ indisvalid: false }]);
  await query("truncate busy");
  expect(await apply()).toEqual(["20260102000000_index"]);
  expect(await query(isValid)).toEqual([{ indisvalid: true }]);
  expect(await apply()).toEqual([]);
});

const migrationRows = () => query("select migration_name, checksum from _prisma_migrations order by 1");

test("a migration that was edited after it was applied is named, and nothing is written", async () => {
  addMigration("20260101000000_edited", "create table first_table (id int);");
  await apply();
  const rows = await migrationRows();
  writeFileSync(join(migrationsDir, "20260101000000_edited", "migration.sql"), "create table first_table (id bigint);");
  addMigration("20260102000000_second", "create table second_table (id int);");
  const message = /^Migration 20260101000000_edited has changed since this database applied it\. .*$/;
  await expect(apply()).rejects.toThrow(message);
  await expect(listPendingMigrations({ databaseUrl: database.url, migrationsDir })).rejects.toThrow(message);
  expect(await migrationRows()).toEqual(rows);
  expect(await query("select to_regclass('second_table') as found")).toEqual([{ found: null }]);
});

test("a database with migrations from before the first one is refused as too old, and nothing is written", async () => {
  addMigration("20261120090000_init", "create table old (id int);");
  await apply();
  rmSync(join(migrationsDir, "20261120090000_init"), { recursive: true });
  const rows = await migrationRows();
  await expect(
    applyMigrations({
      databaseUrl: database.url,
      migrationsDir: join(import.meta.dirname, "../../../prisma/migrations"),
    }),
  ).rejects.toThrow(
    /^This database has migration 20261120090000_init, .* an older version that cannot be upgraded\. .*$/,
  );
  expect(await migrationRows()).toEqual(rows);
  expect(await query("select tablename from pg_tables where schemaname = 'public' order by 1")).toEqual([
    { tablename: "_prisma_migrations" },
    { tablename: "old" },
  ]);
});

test("a migration that Prisma's command left unfinished stops the start; one marked as rolled back is applied again", async () => {
  addMigration("20260101000000_first", "create table first_table (id int);");
  await apply();
  addMigration("20260102000000_second", "create table second_table (id int);");
  await query(
    `insert into _prisma_migrations (id, checksum, migration_name) values ('1', '', '20260102000000_second')`,
  );
  await expect(apply()).rejects.toThrow(/^Migration 20260102000000_second failed half way on this database\. .*$/);
  await query("update _prisma_migrations set rolled_back_at = now() where finished_at is null");
  expect(await apply()).toEqual(["20260102000000_second"]);
});

test("the record of a migration is what Prisma's command would have written", async () => {
  addMigration("20260101000000_first", "select 1; -- é\n");
  await apply();
  expect(
    await query(`select length(id) as id_length, checksum, migration_name, logs, rolled_back_at,
                        started_at <= finished_at as finished, applied_steps_count from _prisma_migrations`),
  ).toEqual([
    {
      id_length: 36,
      checksum: createHash("sha256").update("select 1; -- é\n").digest("hex"),
      migration_name: "20260101000000_first",
      logs: null,
      rolled_back_at: null,
      finished: true,
      applied_steps_count: 1,
    },
  ]);
});

test("this version starts on a database that a newer one has expanded, and says so", async () => {
  addMigration("20260101000000_known", "select 1;");
  addMigration("20260102000000_newer", "select 1;");
  await apply();
  rmSync(join(migrationsDir, "20260102000000_newer"), { recursive: true });
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  expect(await applyMigrations({ databaseUrl: database.url, migrationsDir, log })).toEqual([]);
  expect(lines).toEqual([
    expect.stringMatching(/^A newer version has migrated this database \(20260102000000_newer\)/),
  ]);
});

test.each([
  ["that a newer version has contracted", "20260103000000_contract_newer"],
  ["with a migration between those of this version", "20260101000000_other"],
  ["of an older version that cannot be upgraded", "20251231000000_older"],
])("a database %s is refused", async (_, name) => {
  addMigration(name, "select 1;");
  addMigration("20260101000000_first", "select 1;");
  addMigration("20260102000000_known", "select 1;");
  await apply();
  rmSync(join(migrationsDir, name), { recursive: true });
  await expect(apply()).rejects.toThrow(`${name}, which this version of License Desk does not know`);
});
