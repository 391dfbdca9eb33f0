/**
 * npm run db:migration -- --baseline
 * Replaces all migrations with one generated from prisma/schema and prisma/sql. Only while no database has to be kept:
 * databases migrated before cannot be upgraded.
 * npm run db:migration -- <name>
 * Writes the changes since the last migration into a new one for review, and lists what to complete manually, such as
 * moving data.
 * npm run db:migration -- --release
 * Records the migrations as released: from now on they stay as they are, and `--baseline` is refused.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "#lib/db/schema/migration-files.ts";
import { startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";
import { buildFromSources } from "./database/build.ts";
import { checkMigrations } from "./database/check-migrations.ts";
import { planNextMigration } from "./database/next-migration.ts";
import { listReleased, RELEASED_FILE } from "./database/released.ts";
import { withScratchDatabase } from "./database/scratch.ts";
import { baselineScript, migrationsDir, readSources } from "./database/sources.ts";

const lockFile = join(migrationsDir, "migration_lock.toml");
const releasedFile = join(migrationsDir, RELEASED_FILE);
/** Fixed: the baseline is rewritten in place. */
const BASELINE = "20261122000000_baseline";

function folderName(argument: string): string | null {
  if (/^\d{14}_[a-z0-9_]+$/.test(argument)) return argument;
  const timestamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const name = argument
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return name === "" ? null : `${timestamp}_${name}`;
}

async function withPostgres<Result>(use: (databaseUrl: string) => Promise<Result>): Promise<Result> {
  const postgres = await startTemporaryPostgres();
  try {
    return await use(postgres.url);
  } finally {
    await postgres.stop();
  }
}

function listMigrationNames(): string[] {
  const entries = readdirSync(migrationsDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function writeMigration(folder: string, sql: string): void {
  mkdirSync(join(migrationsDir, folder), { recursive: true });
  writeFileSync(join(migrationsDir, folder, "migration.sql"), sql);
  if (!existsSync(lockFile)) writeFileSync(lockFile, 'provider = "postgresql"\n');
}

async function writeBaseline(): Promise<void> {
  if (existsSync(releasedFile)) {
    throw new Error("There are databases to keep: migrations are released. Use npm run db:migration -- <name>.");
  }
  const script = await withPostgres(async (databaseUrl) => {
    const sources = await readSources(databaseUrl);
    // Fails before writing if the sources are inconsistent.
    await withScratchDatabase(databaseUrl, (url) => buildFromSources(url, sources));
    return baselineScript(sources);
  });
  const file = join(migrationsDir, BASELINE, "migration.sql");
  const others = listMigrationNames().filter((name) => name !== BASELINE);
  if (others.length === 0 && existsSync(file) && readFileSync(file, "utf8") === script) {
    process.stdout.write(`Unchanged: prisma/migrations/${BASELINE}/migration.sql already matches the sources.\n`);
    return;
  }
  for (const name of others) {
    rmSync(join(migrationsDir, name), { recursive: true });
    process.stdout.write(`Deleted: prisma/migrations/${name}\n`);
  }
  writeMigration(BASELINE, script);
  process.stdout.write(
    `Written: prisma/migrations/${BASELINE}/migration.sql, from prisma/schema and prisma/sql.\n` +
      "A database migrated before this change cannot be upgraded: use a new data directory.\n",
  );
}

async function writeNext(folder: string): Promise<number> {
  const last = listMigrationNames().at(-1) ?? "";
  if (folder <= last) throw new Error(`${folder} must sort after the last migration, ${last}.`);
  const { script, remaining } = await withPostgres(async (databaseUrl) =>
    planNextMigration(databaseUrl, await readSources(databaseUrl), migrationsDir),
  );
  if (script === "" && remaining.length === 0) {
    process.stdout.write("The migrations already lead to the sources: nothing written.\n");
    return 0;
  }
  writeMigration(folder, script);
  process.stdout.write(`Written: prisma/migrations/${folder}/migration.sql\n`);
  const findings = await checkMigrations(await readMigrationFiles(migrationsDir));
  tell("Complete it by hand:", remaining);
  tell("The previous version could not go on beside it (CONTRIBUTING.md):", findings);
  return remaining.length + findings.length === 0 ? 0 : 1;
}

async function recordRelease(): Promise<void> {
  writeFileSync(releasedFile, listReleased(await readMigrationFiles(migrationsDir)));
  process.stdout.write(`Written: prisma/migrations/${RELEASED_FILE}\n`);
}

function tell(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stderr.write(`${title}\n${lines.map((line) => `- ${line}\n`).join("")}`);
}

async function main(): Promise<number> {
  const argument = process.argv[2] ?? "";
  const folder = folderName(argument);
  if (argument === "--baseline") {
    await writeBaseline();
  } else if (argument === "--release") {
    await recordRelease();
  } else if (folder === null || argument.startsWith("-")) {
    const usages = ["<name>", "--baseline", "--release"].map((usage) => `npm run db:migration -- ${usage}\n`);
    process.stderr.write(`Usage: ${usages.join("       ")}`);
    return 2;
  } else {
    return writeNext(folder);
  }
  return 0;
}

try {
  process.exit(await main());
} catch (error) {
  // PostgreSQL's detail names the table.
  const lines = error instanceof Error ? [error.message, (error as { detail?: string }).detail ?? ""] : [String(error)];
  process.stderr.write(`${lines.filter((line) => line !== "").join("\n")}\n`);
  process.exit(1);
}
