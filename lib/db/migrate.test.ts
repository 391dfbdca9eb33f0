import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/database.ts";
import { withoutHandWritten } from "./hand-written.ts";
import { applyMigrations, MigrationError } from "./migrate.ts";
import { diffMigrationsToSchema } from "./migration-engine.ts";

const prismaDir = join(import.meta.dirname, "..", "..", "prisma");
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

test("the migrations and the Prisma schema agree", async () => {
  const script = await diffMigrationsToSchema({
    scratchDatabaseUrl: database.url,
    migrationsDir: join(prismaDir, "migrations"),
    schemaDir: join(prismaDir, "schema"),
  });
  expect(withoutHandWritten(script)).toBe("");
});

test("a comparison leaves no shadow database behind", async () => {
  await diffMigrationsToSchema({
    scratchDatabaseUrl: database.url,
    migrationsDir: join(prismaDir, "migrations"),
    schemaDir: join(prismaDir, "schema"),
  });
  expect(await query("select datname from pg_database where datname like '%shadow%'")).toEqual([]);
});

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
  addMigration("20260102000000_second", "create table second_table (id int);");
  const applied = await Promise.all([apply(), apply(), apply()]);
  expect(applied.flat().sort()).toEqual(["20260101000000_first", "20260102000000_second"]);
  expect(await apply()).toEqual([]);
});

test("a migration that fails changes nothing, and stops every later start until somebody settles it", async () => {
  addMigration("20260101000000_wrong", "create table left_over (id int); create table wrong (id no_such_type);");
  await expect(apply()).rejects.toThrow(/Migration 20260101000000_wrong: .*no_such_type/s);
  expect(await query("select to_regclass('left_over') as found")).toEqual([{ found: null }]);
  await expect(apply()).rejects.toThrow(MigrationError);
});

test("a database migrated by a newer version is refused", async () => {
  addMigration("20260101000000_known", "select 1;");
  addMigration("20260102000000_newer", "select 1;");
  await apply();
  rmSync(join(migrationsDir, "20260102000000_newer"), { recursive: true });
  await expect(apply()).rejects.toThrow(/20260102000000_newer, which this version .* does not know/);
});
