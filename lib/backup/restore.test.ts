import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMigrations, listPendingMigrations } from "#lib/db/schema/migrate.ts";
import { migrationsDir } from "#lib/server/prepare-database.ts";
import { createBareDatabase, readContents, runSql } from "#tests/support/database-contents.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createBackup } from "./create.ts";
import { readBackup, restoreBackup } from "./restore.ts";

const NEXT = "20991231000000_next";

let world: World;
let folder: string;
/** Of the world's database. */
let plain: string;
/** The migrations of a later version. */
let newer: string;

beforeAll(async () => {
  world = await newWorld();
  const reseller = await world.reseller();
  await reseller.register();
  await runSql(
    world.url,
    `insert into verifications (reseller_id, seen_ip, code, checked_at)
     select ${reseller.id}, '', '', now() - interval '1 day' * n from generate_series(0, 89) n`,
  );
  folder = mkdtempSync(join(tmpdir(), "license-desk-versions-"));
  plain = join(folder, "plain.tar.gz");
  await createBackup({
    databaseUrl: world.url,
    file: plain,
    passphrase: null,
    secrets: null,
    checkIn: null,
    migrationsDir,
  });
  newer = join(folder, "migrations");
  cpSync(migrationsDir, newer, { recursive: true });
  mkdirSync(join(newer, NEXT));
  writeFileSync(join(newer, NEXT, "migration.sql"), "alter table resellers add column motto text default 'none';");
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

async function withBareDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const database = await createBareDatabase(world.url);
  try {
    await use(database.url);
  } finally {
    await database.drop();
  }
}

async function restore(file: string, databaseUrl: string, dir: string): Promise<void> {
  const backup = { file, passphrase: null };
  await restoreBackup({ ...backup, databaseUrl, migrationsDir: dir }, await readBackup(backup));
}

test("a backup of an older version is restored and migrated; a newer one's is refused", async () => {
  const file = join(folder, "newer.tar.gz");
  await withBareDatabase(async (url) => {
    await restore(plain, url, newer);
    expect(await runSql(url, "select name, motto from resellers")).toEqual([{ name: "Reseller 1", motto: "none" }]);
    expect(await listPendingMigrations({ databaseUrl: url, migrationsDir: newer })).toEqual([]);
    await createBackup({
      databaseUrl: url,
      file,
      passphrase: null,
      secrets: null,
      checkIn: null,
      migrationsDir: newer,
    });
  });
  await withBareDatabase(async (url) => {
    await expect(restore(file, url, migrationsDir)).rejects.toThrow(
      `This backup is of a newer version of License Desk: migration ${NEXT} is not known here.`,
    );
    expect(await runSql(url, "select from pg_tables where schemaname = 'public'")).toEqual([]);
  });
});

test("an empty database with a migration that the backup lacks is refused: it has not run on the backup's rows", async () => {
  await withBareDatabase(async (url) => {
    await applyMigrations({ databaseUrl: url, migrationsDir: newer });
    for (const dir of [newer, migrationsDir]) {
      await expect(restore(plain, url, dir)).rejects.toThrow(
        `This database has migration ${NEXT}, which the backup lacks`,
      );
    }
    expect(await runSql(url, "select name from resellers")).toEqual([]);
  });
});

test("a restore that fails half way leaves a database into which the backup can be restored again", async () => {
  await withBareDatabase(async (url) => {
    const backup = { file: plain, passphrase: null };
    const contents = await readBackup(backup);
    const manifest = { ...contents.manifest, tables: [{ name: "wallets", columns: ["no_such_column"] }] };
    const into = { ...backup, databaseUrl: url, migrationsDir };
    await expect(restoreBackup(into, { ...contents, manifest })).rejects.toThrow();
    await restoreBackup(into, contents);
    expect(await readContents(url)).toEqual(await readContents(world.url));
  });
});

test("a partitioned table is backed up as one, and restored rows are in the partitions of their times", async () => {
  const backup = { file: plain, passphrase: null };
  const contents = await readBackup(backup);
  const tables = contents.manifest.tables.map(({ name }) => name);
  expect(tables.filter((name) => name.startsWith("verifications"))).toEqual(["verifications"]);
  await withBareDatabase(async (url) => {
    await restoreBackup({ ...backup, databaseUrl: url, migrationsDir }, contents);
    expect(await readContents(url)).toEqual(await readContents(world.url));
    const counts =
      "select count(*)::int as total, count(*) filter (where tableoid = 'verifications_default'::regclass)::int as strays from verifications";
    expect(await runSql(url, counts)).toEqual([{ total: 90, strays: 0 }]);
  });
});
