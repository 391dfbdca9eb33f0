/**
 * npm run db:migration -- <name>
 * Writes the SQL that leads from the migrations to prisma/schema into a new migration, for you to read and complete.
 * `<14 digits>_<name>` instead puts it at that place, behind the migrations that sort before it.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutHandWritten } from "#lib/db/hand-written.ts";
import { diffMigrationsToSchema } from "#lib/db/migration-engine.ts";
import { startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";

const root = join(import.meta.dirname, "..");
const migrationsDir = join(root, "prisma", "migrations");
const lockFile = join(migrationsDir, "migration_lock.toml");

function folderName(argument: string): string | null {
  if (/^\d{14}_[a-z0-9_]+$/.test(argument)) return argument;
  const timestamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const name = argument
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return name === "" ? null : `${timestamp}_${name}`;
}

async function main(): Promise<number> {
  const folder = folderName(process.argv[2] ?? "");
  if (folder === null) {
    process.stderr.write("Usage: npm run db:migration -- <name>\n");
    return 2;
  }
  mkdirSync(migrationsDir, { recursive: true });
  const postgres = await startTemporaryPostgres();
  try {
    const script = await diffMigrationsToSchema({
      scratchDatabaseUrl: postgres.url,
      migrationsDir,
      schemaDir: join(root, "prisma", "schema"),
      before: folder,
    });
    const sql = withoutHandWritten(script);
    if (sql === "") {
      process.stdout.write("The migrations already lead to the schema: nothing written.\n");
      return 0;
    }
    mkdirSync(join(migrationsDir, folder), { recursive: true });
    writeFileSync(join(migrationsDir, folder, "migration.sql"), sql, { flag: "wx" });
    if (!existsSync(lockFile)) writeFileSync(lockFile, 'provider = "postgresql"\n');
    process.stdout.write(`Written: prisma/migrations/${folder}/migration.sql\n`);
    return 0;
  } finally {
    await postgres.stop();
  }
}

process.exit(await main());
