import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MigrationList, SchemasContainer } from "@prisma/schema-engine-wasm";

const LOCK_FILE = "migration_lock.toml";
const SCRIPT_FILE = "migration.sql";

/** The names of the migration folders, in the order in which they apply. */
export async function listMigrationNames(migrationsDir: string): Promise<string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The migrations folder as the schema engine wants it; with `before`, only what sorts before that name. */
export async function readMigrations(migrationsDir: string, before?: string): Promise<MigrationList> {
  const allNames = await listMigrationNames(migrationsDir);
  const names = before === undefined ? allNames : allNames.filter((name) => name < before);
  const lockfile = await readFile(join(migrationsDir, LOCK_FILE), "utf8").catch(() => null);
  const migrationDirectories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: SCRIPT_FILE,
        content: { tag: "ok" as const, value: await readFile(join(migrationsDir, name, SCRIPT_FILE), "utf8") },
      },
    })),
  );
  return {
    baseDir: migrationsDir,
    lockfile: { path: LOCK_FILE, content: lockfile },
    shadowDbInitScript: "",
    migrationDirectories,
  };
}

/** Every `*.prisma` file of a folder. */
export async function readSchema(schemaDir: string): Promise<SchemasContainer> {
  const names = (await readdir(schemaDir)).filter((name) => name.endsWith(".prisma")).sort();
  const files = await Promise.all(
    names.map(async (name) => ({ path: name, content: await readFile(join(schemaDir, name), "utf8") })),
  );
  return { files };
}
