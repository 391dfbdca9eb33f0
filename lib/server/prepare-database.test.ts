import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Secrets } from "#lib/embedded/data-dir.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { runSql } from "#tests/support/database-contents.ts";
import { prepareDatabase } from "./prepare-database.ts";

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "license-desk-prepare-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

const secrets = { apiKeyPepper: "a pepper", authSecret: "a secret", encryptionKey: "a key" };

async function prepare(deploymentId: string, change: { safeMode?: boolean; secrets?: Secrets } = {}) {
  const lines: string[] = [];
  const { safeMode } = await prepareDatabase({
    databaseUrl: database.url,
    dataDir: folder,
    configuredId: deploymentId,
    secrets,
    safeMode: false,
    ...change,
    log: (line) => lines.push(line),
  });
  return { safeMode, lines };
}
const [OWN, OTHER] = [randomUUID(), randomUUID()];
const countPartitions = async () => (await runSql(database.url, "select from partitions_of('verifications')")).length;

test("a start creates the partitions of this week and the next two, but not in a copy", async () => {
  expect(await prepare(OWN)).toEqual({ safeMode: false, lines: [] });
  expect(await countPartitions()).toBe(3);
  await runSql(database.url, "select drop_partition('verifications', name) from partitions_of('verifications')");
  expect(await prepare(OTHER)).toMatchObject({ safeMode: true });
  expect(await countPartitions()).toBe(0);
});

test("SAFE_MODE=on drops no rows of an old copy that is examined", async () => {
  await prepare(OWN);
  await runSql(database.url, "select create_partition('verifications', '2020-01-06', '2020-01-13')");
  expect(await prepare(OWN, { safeMode: true })).toEqual({ safeMode: true, lines: [] });
  expect(await countPartitions()).toBe(4);
  await prepare(OWN);
  expect(await countPartitions()).toBe(3);
});

test("a start in safe mode names how a further instance joins, before how a copy replaces the original", async () => {
  await prepare(OWN);
  const { lines } = await prepare(OTHER);
  expect(lines).toEqual([expect.stringMatching(/^SAFE MODE.* set the DEPLOYMENT_ID .* Otherwise .*deployment resume/)]);
});

test("with other secrets than the database's a start fails before it migrates", async () => {
  await prepare(OWN);
  await runSql(database.url, "drop table _prisma_migrations");
  const foreign = { ...secrets, encryptionKey: "another key" };
  await expect(prepare(OWN, { secrets: foreign })).rejects.toThrow(/^ENCRYPTION_KEY: not what this database was used/);
  expect(await runSql(database.url, "select to_regclass('_prisma_migrations') as migrated")).toEqual([
    { migrated: null },
  ]);
});

test("a start that cannot create partitions logs it, and goes on", async () => {
  await runSql(
    database.url,
    `create or replace function create_partition(p_table text, p_from timestamptz, p_until timestamptz)
     returns boolean language plpgsql as $$ begin raise 'must be owner of table'; end $$`,
  );
  const { safeMode, lines } = await prepare(OWN);
  expect(safeMode).toBe(false);
  expect(lines).toEqual([expect.stringMatching(/^Partitions could not be prepared.*must be owner of table/)]);
});
